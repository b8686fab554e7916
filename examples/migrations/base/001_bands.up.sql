CREATE TABLE bands (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  founded TEXT
);
