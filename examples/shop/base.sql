CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  mail TEXT NOT NULL,
  fax TEXT
);

CREATE TABLE purchase (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
  total INTEGER NOT NULL CHECK (total >= 0)
);

CREATE VIEW revenue AS
SELECT name, sum(total) AS total
FROM customer JOIN purchase ON customer_id = customer.id
GROUP BY customer.id;
