CREATE SCHEMA billing;
CREATE TYPE status AS ENUM ('new', 'open', 'closed', 'on hold');
CREATE TYPE billing.kind AS ENUM ('card', 'cash');
CREATE DOMAIN email AS text;
CREATE DOMAIN code AS character varying(10);
CREATE DOMAIN amount AS numeric(12,2);
CREATE TYPE place AS (street text, zip character varying(8), lat double precision);
CREATE TYPE span AS RANGE (subtype = integer);
CREATE SEQUENCE counter;
CREATE SEQUENCE billing.numbers AS integer;
CREATE TABLE users (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    nick character varying(20),
    handle character varying NOT NULL,
    letter character(3),
    mail email NOT NULL,
    ref code,
    age integer,
    small smallint,
    score numeric(10,2),
    any_number numeric,
    ratio double precision,
    weight real,
    active boolean NOT NULL,
    verified boolean,
    born date,
    wakes time without time zone,
    created timestamp without time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    took interval,
    status status NOT NULL,
    previous status,
    tags text[] NOT NULL,
    codes character varying(10)[],
    numbers integer[],
    statuses status[],
    data jsonb NOT NULL,
    old_data json,
    token uuid,
    raw bytea,
    flags bit(8),
    more_flags bit varying(8),
    address inet,
    net cidr,
    home place,
    period tstzrange,
    days daterange,
    ages int4range,
    vector tsvector,
    price money,
    paid amount,
    "Mixed Case" integer,
    "order" integer
);
CREATE TABLE orders (
    id integer NOT NULL,
    user_id bigint NOT NULL,
    parent_id integer,
    total numeric(12,2) NOT NULL,
    kind billing.kind,
    note text,
    placed timestamp with time zone NOT NULL,
    status status NOT NULL
);
CREATE TABLE billing.invoices (
    id integer NOT NULL,
    order_id integer NOT NULL,
    user_id bigint,
    label character varying(40) NOT NULL,
    issued date
);
CREATE TABLE nodes (id integer NOT NULL, parent integer, title text);
CREATE VIEW active_users AS SELECT id, name, nick, mail FROM users WHERE active;
CREATE FUNCTION slug(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lower(t) $$;
CREATE FUNCTION twice(n integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT n * 2 $$;
CREATE FUNCTION twice(n text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT n || n $$;
CREATE FUNCTION plus(a integer, b integer DEFAULT 1) RETURNS integer LANGUAGE sql STABLE AS $$ SELECT a + b $$;
CREATE FUNCTION billing.rate(k billing.kind) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT 1.0 $$;
CREATE FUNCTION parts(n integer) RETURNS TABLE (a integer, b text) LANGUAGE sql STABLE AS $$ SELECT 1, 'x'::text $$;
CREATE FUNCTION total_of(VARIADIC n integer[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT sum(x) FROM unnest(n) x $$;
CREATE FUNCTION people() RETURNS SETOF users LANGUAGE sql STABLE AS $$ SELECT * FROM users $$;
CREATE FUNCTION same(x anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE AS $$ SELECT x $$;
CREATE FUNCTION alike(a text, b text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT lower(a) = lower(b) $$;
CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = alike);
CREATE FUNCTION place_of(t text) RETURNS place LANGUAGE sql IMMUTABLE AS $$ SELECT ROW(t, NULL, NULL)::place $$;
CREATE CAST (text AS place) WITH FUNCTION place_of(text);
CREATE COLLATION billing.german (provider = icu, locale = 'de');
CREATE AGGREGATE billing.glue(text) (SFUNC = textcat, STYPE = text);
CREATE FUNCTION kind_of(x anyelement) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT pg_typeof(x)::text $$;
CREATE FUNCTION shout(u users) RETURNS text LANGUAGE sql STABLE AS $$ SELECT upper(u.name) $$;
