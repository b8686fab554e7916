CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'
CREATE FUNCTION b1(n integer) RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT id FROM users WHERE age > n AND status = 'new'; END
CREATE FUNCTION b2(n integer, b text DEFAULT 'x') RETURNS text LANGUAGE sql RETURN b || n
CREATE FUNCTION b3(n integer) RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO nodes (id, title) VALUES (n, 'x') ; UPDATE nodes SET parent = n WHERE id = n; DELETE FROM nodes WHERE id = $1; END
CREATE FUNCTION b4() RETURNS SETOF users LANGUAGE sql BEGIN ATOMIC SELECT * FROM users u WHERE u.active; END
CREATE FUNCTION b5(OUT a integer, OUT b text) LANGUAGE sql RETURN (1, 'x'::text)
CREATE TRIGGER t1 BEFORE UPDATE ON users FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION fire()
CREATE TRIGGER t2 AFTER UPDATE ON users FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION fire()
CREATE TRIGGER t3 BEFORE INSERT ON users FOR EACH ROW WHEN (new.age > 0 AND new.status IN ('new', 'open')) EXECUTE FUNCTION fire()
CREATE TRIGGER t4 BEFORE INSERT ON orders FOR EACH ROW WHEN (new.note IS NULL OR lower(new.note) LIKE 'x%') EXECUTE FUNCTION fire()
CREATE TRIGGER t5 BEFORE UPDATE ON orders FOR EACH ROW WHEN (old IS DISTINCT FROM new) EXECUTE FUNCTION fire()
CREATE TRIGGER t6 BEFORE UPDATE ON orders FOR EACH ROW WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION fire()
CREATE RULE r1 AS ON INSERT TO active_users DO INSTEAD INSERT INTO nodes VALUES (1, 2, NEW.name)
CREATE RULE r2 AS ON UPDATE TO active_users WHERE old.id > 0 DO INSTEAD NOTHING
CREATE RULE r3 AS ON DELETE TO active_users DO INSTEAD (DELETE FROM users WHERE id = OLD.id; INSERT INTO nodes (id, title) VALUES (old.id, 'gone'))
CREATE RULE r4 AS ON UPDATE TO nodes DO ALSO UPDATE orders SET note = new.title, total = total + 1 WHERE orders.id = old.id
CREATE RULE r5 AS ON UPDATE TO orders DO ALSO UPDATE nodes n SET (parent, title) = (1, 'x') FROM users u WHERE u.id = n.id AND n.id = new.id
CREATE RULE r6 AS ON INSERT TO orders DO ALSO INSERT INTO nodes (id, title) SELECT u.id, u.name FROM users u WHERE u.id = new.user_id
CREATE RULE r7 AS ON INSERT TO nodes DO ALSO INSERT INTO billing.invoices (id, order_id, label) VALUES (new.id, 1, 'a'), (2, DEFAULT, new.title)
CREATE RULE r8 AS ON DELETE TO orders DO ALSO DELETE FROM nodes n USING users u WHERE u.id = old.id AND n.parent = u.id
CREATE POLICY p1 ON users USING (name = CURRENT_USER)
CREATE POLICY p2 ON users FOR INSERT WITH CHECK (age > 18 AND id IN (SELECT user_id FROM orders))
CREATE POLICY p3 ON orders USING (user_id = current_setting('app.id')::bigint) WITH CHECK (status <> 'closed')
CREATE POLICY p4 ON orders USING (EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND u.active))
CREATE POLICY p5 ON orders USING (EXISTS (SELECT FROM users WHERE users.id = orders.user_id))
CREATE DOMAIN d1 AS integer CHECK (VALUE > 0 AND value < 10)
CREATE DOMAIN d2 AS text CONSTRAINT d2_check CHECK (VALUE ~ '^[a-z]+$') DEFAULT 'x'
CREATE DOMAIN d3 AS character varying(20) CHECK (length(value) > 1 AND value IN ('a', 'b'))
CREATE DOMAIN d4 AS email CHECK (value LIKE '%@%')
CREATE TABLE g (a integer, b integer GENERATED ALWAYS AS (a * 2) STORED, c text, d text GENERATED ALWAYS AS (upper(c) || 'x') STORED, e tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(c, ''))) STORED)
CREATE TABLE part (id integer, at timestamp with time zone, name text) PARTITION BY RANGE (lower(name), (id + 1))
ALTER TABLE nodes ADD CONSTRAINT ex EXCLUDE USING gist (int4range(id, parent) WITH &&) WHERE (title <> 'x')
