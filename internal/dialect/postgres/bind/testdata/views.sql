SELECT 1
SELECT 1 AS one, 'x' AS letter, NULL AS nothing, true AS yes
SELECT id, name FROM users
SELECT users.id, users.name AS n FROM users
SELECT u.id, u.name FROM users u
SELECT u.id, u.name FROM users AS u
SELECT users.id FROM public.users
SELECT public.users.nick FROM public.users
SELECT * FROM orders
SELECT o.* FROM orders o
SELECT orders.*, 1 AS one FROM orders
SELECT id, user_id, parent_id, total, kind, note, placed FROM orders
SELECT * FROM active_users
SELECT a.name FROM active_users a
SELECT i.label FROM billing.invoices i
SELECT label FROM billing.invoices
SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id
SELECT u.name, o.total FROM users u INNER JOIN orders o ON u.id = o.user_id
SELECT u.name, o.total FROM users u, orders o WHERE o.user_id = u.id
SELECT name, total FROM users LEFT JOIN orders ON user_id = users.id
SELECT u.name, o.total FROM users u LEFT OUTER JOIN orders o ON (o.user_id = u.id AND o.total > 0)
SELECT u.name, o.total FROM users u RIGHT JOIN orders o ON o.user_id = u.id
SELECT u.name, o.total FROM users u FULL JOIN orders o ON o.user_id = u.id
SELECT u.name, o.total FROM users u CROSS JOIN orders o
SELECT o.note, i.label FROM orders o JOIN billing.invoices i USING (user_id)
SELECT user_id, o.note FROM orders o JOIN billing.invoices i USING (user_id)
SELECT o.user_id, o.note, i.label FROM orders o LEFT JOIN billing.invoices i USING (user_id)
SELECT user_id FROM orders o RIGHT JOIN billing.invoices i USING (user_id)
SELECT user_id FROM orders o FULL JOIN billing.invoices i USING (user_id)
SELECT * FROM orders JOIN billing.invoices USING (id, user_id)
SELECT * FROM nodes NATURAL JOIN billing.invoices
SELECT id FROM nodes NATURAL LEFT JOIN orders
SELECT j.total FROM (users u JOIN orders o ON o.user_id = u.id) AS j (a, b, c, d, e, f, g)
SELECT a.name, b.total, c.label FROM users a JOIN (orders b JOIN billing.invoices c ON c.order_id = b.id) ON b.user_id = a.id
SELECT a.name, b.total, c.label FROM users a JOIN orders b ON b.user_id = a.id JOIN billing.invoices c ON c.order_id = b.id
SELECT id FROM users WHERE age > 1
SELECT id FROM users WHERE age > 1 AND active
SELECT id FROM users WHERE name IN ('a', 'b') AND nick IN ('a', 'b')
SELECT count(*) FROM users
SELECT count(*) AS n, count(DISTINCT name) AS names, sum(age) AS ages, avg(score), max(created) FROM users
SELECT status, count(*) FROM users GROUP BY status
SELECT status, count(*) FROM users GROUP BY 1
SELECT status AS s, count(*) FROM users GROUP BY s
SELECT lower(name) AS l, count(*) FROM users GROUP BY lower(name)
SELECT lower(name) AS l, count(*) FROM users GROUP BY l HAVING count(*) > 1
SELECT date_trunc('day', created) AS day, count(*) FROM users GROUP BY date_trunc('day', created) ORDER BY 1
SELECT date_trunc('day', created) AS day, count(*) FROM users GROUP BY 1 ORDER BY day
SELECT status, age, count(*) FROM users GROUP BY ROLLUP (status, age)
SELECT status, age, count(*), grouping(status) FROM users GROUP BY CUBE (status, age)
SELECT status, age, count(*) FROM users GROUP BY GROUPING SETS ((status), (age), ())
SELECT count(*) FILTER (WHERE active) AS n FROM users
SELECT string_agg(name, ', ') FROM users
SELECT string_agg(nick, ', ' ORDER BY nick DESC) FROM users
SELECT string_agg(DISTINCT name, ', ' ORDER BY name) FROM users
SELECT array_agg(id ORDER BY created, id DESC NULLS LAST) FROM users
SELECT json_agg(u) FROM users u
SELECT json_agg(u.*) FROM users u
SELECT row_to_json(n) FROM nodes n
SELECT jsonb_build_object('id', id, 'name', name) AS o FROM users
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio) FROM users
SELECT mode() WITHIN GROUP (ORDER BY age) FROM users
SELECT name FROM users ORDER BY name
SELECT name AS n FROM users ORDER BY n
SELECT name FROM users ORDER BY age DESC, name
SELECT name FROM users ORDER BY age DESC NULLS LAST, name NULLS FIRST
SELECT name FROM users ORDER BY lower(name) LIMIT 10
SELECT name FROM users ORDER BY 1 ASC LIMIT 10 OFFSET 5
SELECT name FROM users ORDER BY 1 FETCH FIRST 3 ROWS ONLY
SELECT name FROM users ORDER BY 1 FETCH FIRST 3 ROWS WITH TIES
SELECT DISTINCT name FROM users
SELECT DISTINCT ON (status) status, name FROM users ORDER BY status, created DESC
SELECT DISTINCT status, age FROM users
SELECT id, row_number() OVER (PARTITION BY status ORDER BY created DESC) AS n FROM users
SELECT id, rank() OVER w FROM users WINDOW w AS (ORDER BY age)
SELECT id, sum(total) OVER (ORDER BY placed ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM orders
SELECT id, sum(total) OVER (ORDER BY placed ROWS UNBOUNDED PRECEDING) FROM orders
SELECT id, lag(total) OVER (PARTITION BY user_id ORDER BY placed) AS prev FROM orders
SELECT id, lag(total, 1, 0) OVER (PARTITION BY user_id ORDER BY placed) AS prev FROM orders
SELECT id, first_value(name) OVER (ORDER BY id) FROM users
SELECT id, sum(total) OVER (PARTITION BY user_id) FROM orders
SELECT id FROM users WHERE id IN (SELECT user_id FROM orders)
SELECT id FROM users WHERE id = ANY (SELECT user_id FROM orders)
SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM orders)
SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)
SELECT id FROM users u WHERE NOT EXISTS (SELECT * FROM orders o WHERE o.user_id = u.id)
SELECT id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = users.id)
SELECT id FROM users WHERE id IN (SELECT id FROM users WHERE active)
SELECT id FROM users WHERE id > ALL (SELECT user_id FROM orders)
SELECT id, (SELECT count(*) FROM orders o WHERE o.user_id = u.id) AS n FROM users u
SELECT id, (SELECT max(total) FROM orders WHERE user_id = users.id) FROM users
SELECT id, ARRAY(SELECT o.id FROM orders o WHERE o.user_id = u.id ORDER BY o.id) AS ids FROM users u
SELECT id FROM users WHERE (id, age) IN (SELECT user_id, id FROM orders)
SELECT s.n FROM (SELECT name AS n FROM users) s
SELECT s.n FROM (SELECT name FROM users) AS s (n)
SELECT s.* FROM (SELECT id, count(*) FROM orders GROUP BY id) s
SELECT u.id, l.total FROM users u LEFT JOIN LATERAL (SELECT o.total FROM orders o WHERE o.user_id = u.id ORDER BY o.placed DESC LIMIT 1) l ON true
SELECT u.id, l.total FROM users u, LATERAL (SELECT o.total FROM orders o WHERE o.user_id = u.id LIMIT 1) l
SELECT u.id, t FROM users u, unnest(u.tags) t
SELECT u.id, t.tag FROM users u CROSS JOIN unnest(u.tags) AS t(tag)
SELECT u.id, t.tag, t.n FROM users u, unnest(u.tags) WITH ORDINALITY AS t(tag, n)
SELECT g FROM generate_series(1, 10) g
SELECT g.x FROM generate_series(1, 10) AS g(x)
SELECT generate_series FROM generate_series(1, 3)
SELECT d::date FROM generate_series('2020-01-01'::timestamp, '2020-02-01'::timestamp, '1 day') d
SELECT e.key, e.value FROM users, jsonb_each(data) e
SELECT e.value ->> 'x' AS x FROM users u, jsonb_array_elements(u.data) e
SELECT x.a, x.b FROM users u, jsonb_to_record(u.data) AS x(a integer, b text)
SELECT x.a FROM ROWS FROM (generate_series(1, 2), generate_series(1, 3)) AS x(a, b)
SELECT u.a, u.b FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS u(a, b)
SELECT p.a, p.b FROM parts(3) p
SELECT * FROM parts(4)
SELECT p.name FROM people() p
SELECT v.a, v.b FROM (VALUES (1, 'x'), (2, 'y')) v(a, b)
SELECT * FROM (VALUES (1, 2.5), (3, 4)) AS v
VALUES (1, 'a'), (2, 'b')
SELECT id FROM users UNION SELECT user_id FROM orders
SELECT id, 'u' AS t FROM users UNION ALL SELECT id, 'o' FROM orders
SELECT name FROM users UNION ALL SELECT label FROM billing.invoices ORDER BY 1
SELECT name AS n FROM users UNION SELECT note FROM orders UNION SELECT 'x' ORDER BY n DESC LIMIT 3
(SELECT id FROM users EXCEPT SELECT user_id FROM orders) INTERSECT SELECT user_id FROM billing.invoices
SELECT id FROM users EXCEPT (SELECT user_id FROM orders INTERSECT SELECT user_id FROM billing.invoices)
(SELECT id FROM users ORDER BY id LIMIT 1) UNION ALL (SELECT user_id FROM orders LIMIT 2)
SELECT NULL AS a UNION SELECT 1
SELECT nick FROM users UNION SELECT nick FROM active_users
WITH x AS (SELECT id FROM users) SELECT id FROM x
WITH x AS MATERIALIZED (SELECT id FROM users) SELECT id FROM x
WITH x AS NOT MATERIALIZED (SELECT id FROM users) SELECT id FROM x
WITH x(a) AS (SELECT id FROM users), y AS (SELECT a + 1 AS b FROM x) SELECT x.a, y.b FROM x, y
WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT n FROM t
WITH RECURSIVE tree AS (SELECT id, parent, title, 1 AS depth FROM nodes WHERE parent IS NULL UNION ALL SELECT n.id, n.parent, n.title, t.depth + 1 FROM nodes n JOIN tree t ON t.id = n.parent) SELECT * FROM tree
WITH RECURSIVE path AS (SELECT id, title AS p FROM nodes UNION SELECT n.id, p.p || '/' || n.title FROM nodes n, path p WHERE n.parent = p.id) SELECT id, p FROM path
WITH RECURSIVE g AS (SELECT id, parent FROM nodes UNION ALL SELECT n.id, n.parent FROM nodes n JOIN g ON g.id = n.parent) CYCLE id SET is_cycle USING path SELECT id, is_cycle FROM g
SELECT id FROM users FOR UPDATE
SELECT u.id FROM users u JOIN orders o ON o.user_id = u.id FOR UPDATE OF o SKIP LOCKED
SELECT id FROM users TABLESAMPLE bernoulli (10)
SELECT id FROM ONLY users
SELECT CASE WHEN age > 18 THEN 'adult' ELSE 'child' END AS what FROM users
SELECT CASE status WHEN 'new' THEN 1 WHEN 'open' THEN 2 END AS n FROM users
SELECT CASE WHEN active THEN score END AS s, CASE WHEN active THEN nick ELSE NULL END AS k FROM users
SELECT coalesce(nick, name) AS n, coalesce(nick, handle) AS h, nullif(age, 0) AS a FROM users
SELECT nick::text, name::varchar(5), score::int, age::text, born::timestamp FROM users
SELECT (home).street, (home).lat AS l FROM users
SELECT (u.home).zip FROM users u
SELECT (home).* FROM users
SELECT data ->> 'a' AS a, data -> 'b' AS b, (data ->> 'c')::numeric AS c FROM users
SELECT tags[1], numbers[1] AS n, array_length(tags, 1) AS l FROM users
SELECT age + 1, age * 2.5 AS m, score * 2 AS d, ratio / 2 AS r, id + age AS s, small + 1 AS t FROM users
SELECT created + interval '1 day' AS next, updated - created::timestamptz AS diff, born + 1 AS later, now() - updated AS ago FROM users
SELECT extract(year FROM born) AS y, date_part('year', born) AS z, to_char(born, 'YYYY') AS t FROM users
SELECT lower(nick), upper(mail), length(name), name || '-' || age AS x FROM users
SELECT current_date AS d, current_timestamp AS t, now() AS n, current_user AS u
SELECT current_date, localtimestamp
SELECT 1::bigint AS b, 1.5 AS n, 5000000000 AS big, '1 day'::interval AS i, '{a}'::text[] AS t, B'101' AS bits
SELECT 'x'::character varying AS v
SELECT 'x'::text AS v
SELECT 'x'::character(3) AS c, 'x'::bpchar AS b
SELECT slug(name) AS s, twice(age) AS a, twice(nick) AS b, billing.rate('card') AS r FROM users
SELECT same(age) AS a, same(nick) AS n FROM users
SELECT (parts(2)).a AS p
SELECT unnest(tags) AS tag FROM users
SELECT u.mail, u.ref, u.paid FROM users u
SELECT u.paid + 1 AS p, lower(u.mail) AS m FROM users u
SELECT max(u.mail) AS m, max(status) AS s, min(nick) AS n, max(paid) AS p FROM users u
SELECT bool_and(active) AS b, every(active) AS e, array_agg(DISTINCT status) AS s, sum(paid) AS p FROM users
SELECT relname FROM pg_class
SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relkind = 'r'
SELECT table_name FROM information_schema.tables
SELECT id AS "Weird Name", "Mixed Case", "order" FROM users
SELECT "Mixed Case" + 1 AS "select" FROM users
SELECT name COLLATE "C" AS c FROM users ORDER BY name COLLATE "C"
SELECT id FROM users WHERE created BETWEEN '2020-01-01' AND '2021-01-01'
SELECT id FROM users WHERE updated > now() - interval '30 days'
SELECT id FROM users WHERE updated > now() - '30 days'::interval
SELECT id FROM users WHERE status = ANY ('{new,open}')
SELECT id FROM users WHERE status = ANY (ARRAY['new', 'open']::status[])
SELECT id FROM users WHERE status IN ('new', 'closed')
SELECT id, ctid, tableoid::regclass FROM users
SELECT last_value FROM counter
SELECT u.id FROM users u WHERE u.age = (SELECT max(age) FROM users)
SELECT u.id FROM users u JOIN users v ON u.id = v.id
SELECT x.id FROM (SELECT id FROM users UNION SELECT user_id FROM orders) x
SELECT x.* FROM (SELECT u.*, o.total FROM users u JOIN orders o ON o.user_id = u.id) x
SELECT nodes FROM nodes
SELECT nodes.* IS NULL AS n FROM nodes
SELECT xmlelement(name foo, xmlattributes(id AS bar), name) AS x FROM users
SELECT greatest(age, small, id) AS g, least(score, 1) AS l FROM users
SELECT to_tsvector('english', name) AS v, plainto_tsquery('x') AS q FROM users
SELECT int4range(1, age) AS r, lower(ages) AS lo, upper(days) AS hi FROM users
SELECT nextval('counter') AS n
SELECT exists(SELECT 1 FROM users) AS e, array_agg(x) AS a FROM generate_series(1, 3) x
SELECT billing.glue(name ORDER BY name) AS g FROM users
WITH users AS (SELECT 1 AS id) SELECT id FROM users
WITH users AS (SELECT 1 AS id) SELECT u.id FROM users JOIN public.users u ON u.id = users.id
WITH users AS (SELECT 1 AS id) SELECT u.id FROM users JOIN users u ON u.id = users.id
SELECT id FROM users WHERE (SELECT count(*) FROM orders WHERE orders.user_id = users.id AND age > 1) > 1
SELECT sum(total) OVER (ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM orders
SELECT sum(total) OVER (ORDER BY placed RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s FROM orders
SELECT sum(total) OVER (ORDER BY placed RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS s FROM orders
SELECT sum(total) OVER (ORDER BY placed GROUPS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE TIES) AS s FROM orders
SELECT count(*) OVER w AS n, sum(total) OVER (w ROWS 1 PRECEDING) AS s FROM orders WINDOW w AS (PARTITION BY user_id ORDER BY placed)
SELECT a.id, b.id AS other FROM users a, users b WHERE a.id < b.id
SELECT x.id, x.id_1 FROM (SELECT a.id, b.id AS id_1 FROM users a, users b) x
SELECT name, (SELECT u.name FROM users u WHERE u.id = users.id + 1) AS next FROM users
SELECT id FROM users WHERE id IN (SELECT o.user_id FROM orders o WHERE o.total > (SELECT avg(total) FROM orders))
SELECT u.name FROM users u WHERE u.id IN (SELECT id FROM users u WHERE u.active)
SELECT o.kind, o.status FROM orders o WHERE o.kind = 'card' AND o.status = 'new'
SELECT n.id, p.title FROM nodes n LEFT JOIN nodes p ON p.id = n.parent
SELECT coalesce(p.title, n.title, '-') AS t FROM nodes n LEFT JOIN nodes p ON p.id = n.parent
SELECT t.a + t.b AS c FROM (SELECT age AS a, small AS b FROM users) t
SELECT q.id, q.n FROM (SELECT id, row_number() OVER () AS n FROM nodes) q WHERE q.n = 1
SELECT id FROM users WHERE tags @> ARRAY['x'] AND NOT ('y' = ANY (tags))
SELECT a.id FROM users a NATURAL JOIN active_users b
SELECT id, name FROM users NATURAL JOIN active_users
SELECT id, title FROM nodes WHERE title ~ '^a' OR title ILIKE 'b%' OR title SIMILAR TO 'c%'
SELECT age::text || 'x' AS a, (age || 'x') AS b, name || 1 AS c FROM users
SELECT sum(age) AS a, sum(small) AS b, sum(id) AS c, sum(ratio) AS d, avg(age) AS e, stddev(ratio) AS f FROM users
SELECT min(tags) AS a, max(created) AS b, array_agg(tags) AS c, array_agg(home) AS d FROM users
SELECT jsonb_agg(jsonb_build_object('a', u.id, 'b', ARRAY[u.name, 'x'])) AS j FROM users u
SELECT json_build_object('x', count(*)) AS j, to_jsonb(u.name) AS k FROM users u GROUP BY u.name
SELECT jsonb_object_agg(name, id) AS o FROM users
SELECT d.day::date AS day, count(u.id) AS n FROM generate_series(now() - interval '7 days', now(), '1 day') AS d(day) LEFT JOIN users u ON u.created::date = d.day::date GROUP BY d.day
SELECT x.key, count(*) FROM users u CROSS JOIN LATERAL jsonb_object_keys(u.data) AS x(key) GROUP BY x.key
SELECT r.a[1] AS first FROM (SELECT regexp_matches(name, '(.)') AS a FROM users) r
SELECT s AS word FROM users, regexp_split_to_table(name, ',') s
SELECT id, name FROM users ORDER BY status = 'new' DESC, name COLLATE "C"
SELECT id AS name, name AS id FROM users ORDER BY name
SELECT id AS age, count(*) FROM users GROUP BY id, age
SELECT 'a' AS k UNION ALL SELECT 'b' ORDER BY 1
SELECT 1 AS a UNION ALL SELECT 2.5 UNION ALL SELECT age FROM users
SELECT NULL::text AS a, id FROM users UNION ALL SELECT nick, NULL FROM users
SELECT current_schema() AS s, version() AS v, pg_backend_pid() AS p
SELECT inet_client_addr() AS a, host(address) AS h, masklen(net) AS m FROM users
SELECT ts_rank(vector, plainto_tsquery('english', 'x')) AS r FROM users WHERE vector @@ plainto_tsquery('english', 'x')
SELECT percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY age) AS p FROM users
SELECT corr(ratio, weight) AS c, regr_slope(ratio, weight) AS s, bit_or(age) AS b FROM users
SELECT lower(nick) COLLATE "C" AS n FROM users WHERE nick COLLATE "C" > 'a'
SELECT (ARRAY[1, 2, 3])[2] AS a, ('{4,5}'::integer[])[1] AS b
SELECT ROW(1, 2) < ROW(1, 3) AS a, (1, 'x') = (2, 'y') AS b
SELECT u.* FROM users u WHERE u IS NOT NULL
SELECT count(u) AS n, count(DISTINCT u) AS d FROM nodes u
SELECT * FROM (SELECT 1 AS a, 2 AS b) x CROSS JOIN (SELECT 3 AS c) y
SELECT i.* FROM billing.invoices i LEFT JOIN orders USING (id) WHERE orders.id IS NULL
SELECT last_value, is_called FROM billing.numbers
SELECT id FROM users LIMIT ALL OFFSET 3
SELECT id FROM users LIMIT NULL
SELECT id FROM users WHERE name = 'it''s' AND nick = E'a\\b'
SELECT id FROM ((SELECT id FROM users)) AS s
SELECT id FROM users u WHERE u.id = 1 OR (u.id = 2 AND (u.age = 3 OR u.age = 4))
SELECT u.shout FROM users u
SELECT shout(users) AS s, shout(users.*) AS t FROM users
SELECT age(u) AS a, (u).name FROM users u
