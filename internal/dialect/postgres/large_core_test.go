package postgres_test

// The core is a made-up trust of botanic gardens. Each block is a table, in the words of dump.tableOf.
const core = `
gardens
name character varying(120) NOT NULL
code character varying(12) NOT NULL
opened_on date
area numeric(10,2)
visitors_count integer DEFAULT 0 NOT NULL
settings jsonb DEFAULT '{}'::jsonb NOT NULL
created_at timestamp(6) without time zone NOT NULL
updated_at timestamp(6) without time zone NOT NULL
unique code
index lower((name)::text)
trigger gardens_touch BEFORE UPDATE ON FOR EACH ROW EXECUTE FUNCTION public.touch_row()

beds
garden_id bigint NOT NULL
label character varying(40) NOT NULL
kind character varying(20) DEFAULT 'open'::character varying NOT NULL
width numeric(6,2)
length numeric(6,2)
surface numeric GENERATED ALWAYS AS ((width * length)) STORED
capacity integer DEFAULT 10 NOT NULL
updated_at timestamp(6) without time zone
check beds_capacity_check (capacity >= 0)
unique garden_id, label
index garden_id, kind
ref garden_id gardens CASCADE
trigger beds_touch BEFORE UPDATE ON FOR EACH ROW EXECUTE FUNCTION public.touch_row()

species
id integer
genus character varying(80) NOT NULL
epithet character varying(80) NOT NULL
family character varying(80)
hardy_from smallint DEFAULT 5 NOT NULL
hardy_to smallint DEFAULT 9 NOT NULL
check species_hardy_check (hardy_from <= hardy_to)
unique genus, epithet
index family
index public.plant_label((genus)::text, (epithet)::text)

plants
bed_id bigint NOT NULL
species_id integer NOT NULL
code character varying(32) NOT NULL
state public.plant_state DEFAULT 'seed'::public.plant_state NOT NULL
planted_on date
height integer
note text
price public.money_amount
updated_at timestamp(6) without time zone
check plants_height_check ((height IS NULL) OR (height > 0))
unique code
index bed_id, species_id
index species_id
index planted_on WHERE (state <> 'dead'::public.plant_state)
index public.season(planted_on), height
ref bed_id beds CASCADE
ref species_id species
trigger plants_audit AFTER UPDATE ON FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION public.audit_row('plants')
trigger plants_touch BEFORE UPDATE ON FOR EACH ROW EXECUTE FUNCTION public.touch_row()

seed_lots
id integer
species_id integer NOT NULL
code character varying(32) NOT NULL
weight numeric(8,3)
quantity integer DEFAULT 0 NOT NULL
harvested_on date
unique code
index species_id, harvested_on
ref species_id species

suppliers
name character varying(120) NOT NULL
country character varying(2) DEFAULT 'CH'::character varying NOT NULL
rating smallint
mail public.email_address
index country
index rating

orders
id integer
supplier_id bigint NOT NULL
number character varying(24) NOT NULL
state public.order_state DEFAULT 'draft'::public.order_state NOT NULL
total public.money_amount DEFAULT 0 NOT NULL
placed_at timestamp with time zone DEFAULT now() NOT NULL
remark character varying(200)
unique number
index supplier_id, placed_at
index placed_at WHERE (state = 'sent'::public.order_state)
ref supplier_id suppliers RESTRICT
trigger orders_audit AFTER INSERT OR DELETE OR UPDATE ON FOR EACH ROW EXECUTE FUNCTION public.audit_row('orders')

order_lines
order_id integer NOT NULL
species_id integer
quantity integer DEFAULT 1 NOT NULL
unit_price numeric(10,2) NOT NULL
check order_lines_quantity_check (quantity > 0)
index order_id
index species_id
ref order_id orders CASCADE
ref species_id species SET NULL

shipments
order_id integer NOT NULL
carrier character varying(60)
sent_on date
arrived_on date
check shipments_dates_check (arrived_on >= sent_on)
index order_id
ref order_id orders CASCADE

visitors
mail public.email_address NOT NULL
first_name character varying(60)
last_name character varying(60)
full_name text GENERATED ALWAYS AS ((((first_name)::text || ' '::text) || (last_name)::text)) STORED
joined_on date DEFAULT CURRENT_DATE NOT NULL
newsletter boolean DEFAULT false NOT NULL
unique mail
index last_name, first_name

visits
garden_id bigint NOT NULL
visitor_id bigint
kind public.visit_kind DEFAULT 'private'::public.visit_kind NOT NULL
starts_at timestamp with time zone NOT NULL
party_size integer DEFAULT 1 NOT NULL
check visits_party_check (party_size > 0)
index garden_id, starts_at
index visitor_id
ref garden_id gardens CASCADE
ref visitor_id visitors SET NULL

tickets
visit_id bigint NOT NULL
code uuid DEFAULT gen_random_uuid() NOT NULL
price numeric(8,2) DEFAULT 0 NOT NULL
used boolean DEFAULT false NOT NULL
index UNIQUE code
index visit_id
ref visit_id visits CASCADE

volunteers
garden_id bigint
name character varying(120) NOT NULL
mail public.email_address
hours integer DEFAULT 0 NOT NULL
skills text[] DEFAULT '{}'::text[] NOT NULL
index garden_id
index gin skills
ref garden_id gardens SET NULL

shifts
volunteer_id bigint NOT NULL
garden_id bigint NOT NULL
starts_at timestamp with time zone NOT NULL
ends_at timestamp with time zone NOT NULL
check shifts_order_check (ends_at > starts_at)
index volunteer_id, starts_at
index garden_id
ref volunteer_id volunteers CASCADE
ref garden_id gardens

tasks
volunteer_id bigint
bed_id bigint
title character varying(200) NOT NULL
done boolean DEFAULT false NOT NULL
due_on date
priority smallint DEFAULT 3 NOT NULL
check tasks_priority_check ((priority >= 1) AND (priority <= 5))
index volunteer_id
index bed_id WHERE (NOT done)
index due_on, priority
ref volunteer_id volunteers SET NULL
ref bed_id beds CASCADE

sensors
bed_id bigint NOT NULL
kind character varying(20) NOT NULL
unit character varying(8) NOT NULL
installed_on date
index bed_id, kind
ref bed_id beds CASCADE

loans
id integer
plant_id bigint NOT NULL
lender_id bigint NOT NULL
borrower_id bigint NOT NULL
lent_on date NOT NULL
due_on date
check loans_other_check (lender_id <> borrower_id)
index plant_id
index lender_id
index borrower_id
ref plant_id plants
ref lender_id gardens
ref borrower_id gardens

audits
subject text NOT NULL
row_id bigint
change jsonb
made_at timestamp with time zone DEFAULT now() NOT NULL
index subject, row_id
index made_at

labels
name character varying(60) NOT NULL
colour character varying(7) DEFAULT '#336633'::character varying NOT NULL
unique name
check labels_colour_check ((colour)::text ~ '^#[0-9a-f]{6}$'::text)

labellings
label_id bigint NOT NULL
plant_id bigint NOT NULL
index UNIQUE label_id, plant_id
index plant_id
ref label_id labels CASCADE
ref plant_id plants CASCADE

guides
name character varying(120) NOT NULL
languages text[] DEFAULT '{en}'::text[] NOT NULL
fee numeric(8,2)
active boolean DEFAULT true NOT NULL
index name WHERE active

tours
guide_id bigint NOT NULL
garden_id bigint NOT NULL
title character varying(120) NOT NULL
minutes integer DEFAULT 60 NOT NULL
check tours_minutes_check (minutes > 0)
index guide_id
index garden_id, title
ref guide_id guides
ref garden_id gardens CASCADE

tour_stops
tour_id bigint NOT NULL
bed_id bigint NOT NULL
place integer NOT NULL
story text
unique tour_id, place
index bed_id
ref tour_id tours CASCADE
ref bed_id beds

donors
name character varying(120) NOT NULL
since integer
index name

donations
donor_id bigint NOT NULL
garden_id bigint
amount numeric(12,2) NOT NULL
given_on date NOT NULL
check donations_amount_check (amount > (0)::numeric)
index donor_id, given_on
index garden_id
ref donor_id donors
ref garden_id gardens SET NULL

accounting.accounts
name text NOT NULL
number character varying(12) NOT NULL
unique number

accounting.bookings
account_id bigint NOT NULL
amount numeric(12,2) NOT NULL
booked_on date NOT NULL
order_id integer
index account_id, booked_on
index order_id
ref account_id accounting.accounts
ref order_id orders SET NULL`

const preamble = `SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;`

const types = `CREATE SCHEMA accounting;

CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;

COMMENT ON EXTENSION pgcrypto IS 'cryptographic functions';

CREATE TYPE public.plant_state AS ENUM (
    'seed',
    'growing',
    'dormant',
    'dead'
);

CREATE TYPE public.order_state AS ENUM (
    'draft',
    'sent',
    'paid',
    'void'
);

CREATE TYPE public.visit_kind AS ENUM (
    'guided',
    'school',
    'private'
);

CREATE DOMAIN public.email_address AS text
	CONSTRAINT email_address_check CHECK ((VALUE ~ '^[^@]+@[^@]+$'::text));

CREATE DOMAIN public.money_amount AS numeric(12,2)
	CONSTRAINT money_amount_check CHECK ((VALUE >= (0)::numeric));`

const functions = `CREATE FUNCTION public.touch_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END;
$$;

CREATE FUNCTION public.audit_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    AS $$
BEGIN
  INSERT INTO public.audits (subject, row_id, change) VALUES (TG_ARGV[0], COALESCE(NEW.id, OLD.id), to_jsonb(NEW));
  RETURN NULL;
END;
$$;

CREATE FUNCTION public.plant_label(genus text, epithet text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT initcap(genus) || ' ' || lower(epithet) $$;

CREATE FUNCTION public.season(day date) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT (EXTRACT(month FROM day)::integer % 12) / 3 $$;

CREATE FUNCTION public.order_total(integer) RETURNS numeric
    LANGUAGE sql STABLE
    AS $_$ SELECT COALESCE(sum(quantity * unit_price), 0) FROM public.order_lines WHERE order_id = $1 $_$;

CREATE FUNCTION public.garden_capacity(bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $_$ SELECT sum(capacity) FROM public.beds WHERE garden_id = $1 $_$;

CREATE FUNCTION public.full_party(size integer) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN size >= 20;
END;
$$;`

// partitions is the one table that is partitioned, with what pg_dump says of its parts.
const partitions = `CREATE TABLE public.plant_events (
    id bigint NOT NULL,
    plant_id bigint NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    kind character varying(20) NOT NULL,
    detail jsonb
)
PARTITION BY RANGE (happened_at);

CREATE TABLE public.plant_events_2023 (
    id bigint NOT NULL,
    plant_id bigint NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    kind character varying(20) NOT NULL,
    detail jsonb
);

CREATE TABLE public.plant_events_2024 (
    id bigint NOT NULL,
    plant_id bigint NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    kind character varying(20) NOT NULL,
    detail jsonb
);

ALTER TABLE ONLY public.plant_events ATTACH PARTITION public.plant_events_2023 FOR VALUES FROM ('2023-01-01 00:00:00+00') TO ('2024-01-01 00:00:00+00');

ALTER TABLE ONLY public.plant_events ATTACH PARTITION public.plant_events_2024 FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');

CREATE TABLE public.schema_migrations (
    version character varying NOT NULL
);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.plant_events
    ADD CONSTRAINT plant_events_pkey PRIMARY KEY (id, happened_at);

ALTER TABLE ONLY public.plant_events_2023
    ADD CONSTRAINT plant_events_2023_pkey PRIMARY KEY (id, happened_at);

ALTER TABLE ONLY public.plant_events_2024
    ADD CONSTRAINT plant_events_2024_pkey PRIMARY KEY (id, happened_at);`

// rest is what hangs on views and partitions.
const rest = `CREATE UNIQUE INDEX index_plant_stock_on_code ON public.plant_stock USING btree (code);

CREATE INDEX index_plant_stock_on_height ON public.plant_stock USING btree (height);

CREATE INDEX index_plant_stock_on_label ON public.plant_stock USING btree (lower(label));

CREATE INDEX index_garden_ranking_on_place ON public.garden_ranking USING btree (place);

CREATE INDEX index_plant_events_on_plant_id ON ONLY public.plant_events USING btree (plant_id);

CREATE INDEX plant_events_2023_plant_id_idx ON public.plant_events_2023 USING btree (plant_id);

CREATE INDEX plant_events_2024_plant_id_idx ON public.plant_events_2024 USING btree (plant_id);

ALTER INDEX public.plant_events_pkey ATTACH PARTITION public.plant_events_2023_pkey;

ALTER INDEX public.plant_events_pkey ATTACH PARTITION public.plant_events_2024_pkey;

ALTER INDEX public.index_plant_events_on_plant_id ATTACH PARTITION public.plant_events_2023_plant_id_idx;

ALTER INDEX public.index_plant_events_on_plant_id ATTACH PARTITION public.plant_events_2024_plant_id_idx;`

const policies = `ALTER TABLE public.plant_events
    ADD CONSTRAINT plant_events_plant_id_fkey FOREIGN KEY (plant_id) REFERENCES public.plants(id);

ALTER TABLE public.plants ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.volunteers ENABLE ROW LEVEL SECURITY;

CREATE POLICY plants_visible ON public.plants FOR SELECT USING ((state <> 'dead'::public.plant_state));

CREATE POLICY volunteers_own ON public.volunteers USING (((mail)::text = CURRENT_USER)) WITH CHECK ((hours >= 0));`

const comments = `COMMENT ON TABLE public.plants IS 'every plant that ever stood in a bed';

COMMENT ON COLUMN public.plants.height IS 'in millimetres';

COMMENT ON COLUMN public.orders.number IS 'as printed on the order';

COMMENT ON FUNCTION public.season(day date) IS '0 is winter';

COMMENT ON INDEX public.index_species_on_family IS 'for the catalogue';

COMMENT ON CONSTRAINT loans_other_check ON public.loans IS 'no garden lends to itself';`

const migrations = `SET search_path TO "$user", public;

INSERT INTO "schema_migrations" (version) VALUES
('20240105120000'),
('20240211083000'),
('20240302174500');`
