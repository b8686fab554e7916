package postgres_test

// edits is a script: what it does to the text of the structure, and what has to be in the rows afterwards: a query, and behind =>
// what it gives.
type edits struct {
	name  string
	apply func(*edited)
	rows  []string
}

// scripts are the ten edit scripts. Each mixes some fourteen edits as they come together in a pull request.
var scripts = []edits{
	{"type under views", typeUnderViews, []string{"SELECT pg_typeof(height) || ' ' || height FROM plants WHERE id = 1 => bigint 1200", "SELECT fee::text FROM guides => 0.00"}},
	{"wider key", widerKey, []string{"SELECT string_agg(order_id::text, ',' ORDER BY id) FROM order_lines => 1,3", "SELECT ordered::text FROM supplier_totals WHERE id = 1 => 109.99"}},
	{"renames", renamesByHint, []string{"SELECT string_agg(tag_no, ',' ORDER BY id) FROM plants => P1,P2,P3", "SELECT order_total(3)::text => 99.99", "SELECT name FROM tags => rare",
		"SELECT hours_before::text FROM volunteers => 12", "SELECT genus_name FROM species ORDER BY id => Salix Acer"}},
	{"drops", dropsOfAllKinds, []string{"SELECT count(*)::text FROM visits => 2", "SELECT people::text FROM crowded_days => 25", "SELECT count(*)::text FROM pg_sequences WHERE sequencename ~ '^don' => 0"}},
	{"views", viewsOfAllKinds, []string{"SELECT income || ' ' || tickets FROM visit_income WHERE id = 1 => 12.00 1", "SELECT string_agg(name, ',' ORDER BY id) FROM garden_overview => North,South"}},
	{"enums", enumLabels, []string{"SELECT string_agg(state::text, ',' ORDER BY id) FROM plants => growing,dead,seed", "SELECT enum_range(NULL::visit_kind)::text => {guided,private}",
		"SELECT enum_range(NULL::order_state)::text => {draft,approved,sent,paid,void}", "SELECT count(*)::text FROM plants WHERE note = '' => 3"}},
	{"new tables", newTables, []string{"SELECT string_agg(party_size::text, ',' ORDER BY id) FROM visits => 25,2", "SELECT count(*)::text FROM beds WHERE greenhouse_id IS NULL => 3"}},
	{"constraints", constraints, []string{"SELECT since FROM donors => 1999", "SELECT string_agg(surface::text, ',' ORDER BY id) FROM beds => 6.0,6.0", "SELECT unit FROM sensors => C"}},
	{"routines", routines, []string{"SELECT label FROM plant_list WHERE id = 1 => Salix alba", "SELECT due_on::date::text FROM loans => 2024-06-01"}},
	{"release", release, []string{"SELECT string_agg(price::text, ',' ORDER BY id) FROM order_items => 5.0000,33.3300", "SELECT order_total(3)::text => 99.9900", "SELECT nextval('order_items_id_seq')::text => 3"}},
}

func typeUnderViews(e *edited) {
	e.column("plants", "height integer", "height bigint")
	e.replace("COALESCE(NEW.id, OLD.id), to_jsonb(NEW)", "COALESCE(NEW.id, OLD.id), COALESCE(to_jsonb(NEW), to_jsonb(OLD))")
	e.in("CREATE INDEX index_beds_on_garden_id_and_kind", "(garden_id, kind)", "(garden_id, kind, capacity)")
	e.replace("(priority <= 5)", "(priority <= 9)")
	e.in("ALTER TABLE ONLY public.tickets\n    ADD CONSTRAINT tickets_visit_id_fkey", "CASCADE", "RESTRICT")
	e.without("seed_lots", "weight numeric(8,3)")
	e.without("suppliers", "rating smallint")
	e.drop("CREATE INDEX index_suppliers_on_rating")
	e.column("suppliers", "country character varying(2) DEFAULT 'CH'::character varying NOT NULL", "country character varying(2) DEFAULT 'DE'::character varying NOT NULL")
	e.column("beds", "updated_at timestamp(6) without time zone", "updated_at timestamp(6) without time zone,\n    drain_id bigint")
	e.add("CREATE TABLE public.drains (\n    id bigint PRIMARY KEY,\n    bed_id bigint NOT NULL CONSTRAINT drains_bed_id_fkey REFERENCES public.beds(id) ON DELETE CASCADE\n)")
	e.add("ALTER TABLE ONLY public.beds\n    ADD CONSTRAINT beds_drain_id_fkey FOREIGN KEY (drain_id) REFERENCES public.drains(id) ON DELETE SET NULL")
	e.column("guides", "fee numeric(8,2)", "fee numeric(8,2) DEFAULT 0 NOT NULL")
	e.replace("every plant that ever stood in a bed", "every plant, dead or alive")
	e.in("CREATE VIEW public.visit_income", "GROUP BY", "WHERE t.used\n  GROUP BY")
	e.replace("    'seed',\n", "    'seed',\n    'seedling',\n")
	e.add("ALTER TABLE ONLY public.suppliers\n    ADD CONSTRAINT suppliers_name_key UNIQUE (name)")
}

func widerKey(e *edited) {
	e.column("orders", "id integer NOT NULL", "id bigint NOT NULL")
	e.in("CREATE SEQUENCE public.orders_id_seq", "    AS integer\n", "")
	e.column("order_lines", "order_id integer NOT NULL", "order_id bigint NOT NULL")
	e.column("shipments", "order_id integer NOT NULL", "order_id bigint NOT NULL")
	e.column("accounting.bookings", "order_id integer", "order_id bigint")
	e.replace("FUNCTION public.order_total(integer)", "FUNCTION public.order_total(bigint)")
	e.in("CREATE TRIGGER orders_audit", "INSERT OR DELETE OR UPDATE", "INSERT OR UPDATE")
	e.in("CREATE POLICY volunteers_own", "hours >= 0", "hours < 4000")
	e.add("CREATE TABLE public.plant_events_2025 PARTITION OF public.plant_events FOR VALUES FROM ('2025-01-01 00:00:00+00') TO ('2026-01-01 00:00:00+00')")
	e.in("CREATE INDEX index_orders_on_placed_at", "state = 'sent'", "state <> 'void'")
	e.drop("COMMENT ON COLUMN public.orders.number")
	e.add("CREATE VIEW public.sent_orders AS\n SELECT order_totals.id,\n    order_totals.total\n   FROM public.order_totals\n  WHERE (order_totals.state = 'sent'::public.order_state)")
	e.column("seed_lots", "harvested_on date", "harvested_on date,\n    CONSTRAINT seed_lots_quantity_check CHECK ((quantity >= 0))")
	e.column("labels", "colour character varying(7) DEFAULT '#336633'::character varying NOT NULL", "colour character varying(7) NOT NULL")
	e.drop("ALTER TABLE ONLY public.donations\n    ADD CONSTRAINT donations_garden_id_fkey")
	e.replace("CHECK ((VALUE >= (0)::numeric))", "CHECK ((VALUE >= (0)::numeric) AND (VALUE < (1000000)::numeric))")
}

// renamesByHint gives names to a table and to columns that views, indexes, checks, policies and functions use.
func renamesByHint(e *edited) {
	e.renameTable("labels", "tags")
	e.column("plants", "code character varying(32) NOT NULL", "tag_no character varying(32) NOT NULL -- @renamed from=code", "plants_code_key UNIQUE (code)", "plants_code_key UNIQUE (tag_no)")
	e.in("CREATE VIEW public.plant_list", "p.code", "p.tag_no AS code")
	e.in("CREATE VIEW public.loan_book", "p.code", "p.tag_no AS code")
	e.column("visits", "party_size integer DEFAULT 1 NOT NULL", "people integer DEFAULT 1 NOT NULL -- @renamed from=party_size", "CHECK ((party_size > 0))", "CHECK ((people > 0))")
	e.in("CREATE VIEW public.visit_calendar", "v.party_size,\n    public.full_party(v.party_size)", "v.people AS party_size,\n    public.full_party(v.people)")
	e.column("volunteers", "hours integer DEFAULT 0 NOT NULL", "-- @renamed from=hours\n    hours_before integer DEFAULT 0 NOT NULL")
	e.in("CREATE POLICY volunteers_own", "hours >= 0", "hours_before >= 0")
	e.in("CREATE VIEW public.volunteer_hours", "(v.hours + (", "(v.hours_before + (", "v.name, v.hours", "v.name, v.hours_before")
	e.column("order_lines", "unit_price numeric(10,2) NOT NULL", "price numeric(10,2) NOT NULL -- @renamed from=unit_price")
	e.replace("sum(quantity * unit_price)", "sum(quantity * price)")
	e.column("species", "genus character varying(80) NOT NULL", "genus_name character varying(80) NOT NULL /* atlas:renamed_from genus */", "species_genus_and_epithet_key UNIQUE (genus,", "species_genus_and_epithet_key UNIQUE (genus_name,")
	e.replace("USING btree (public.plant_label((genus)::text,", "USING btree (public.plant_label((genus_name)::text,")
	e.in("CREATE VIEW public.plant_list", "s.genus", "s.genus_name")
	e.in("CREATE VIEW public.seed_stock", "s.genus", "s.genus_name")
	e.column("beds", "width numeric(6,2)", "breadth numeric(6,2) -- @renamed from=width", "((width * length))", "((breadth * length))")
	e.column("tours", "minutes integer DEFAULT 60 NOT NULL", "minutes integer DEFAULT 90 NOT NULL")
	e.in("CREATE INDEX index_tasks_on_bed_id", "NOT done", "(NOT done) AND (due_on IS NOT NULL)")
	e.in("ALTER TABLE ONLY public.tasks\n    ADD CONSTRAINT tasks_bed_id_fkey", "CASCADE", "SET NULL")
	e.column("donors", "since integer", "since integer,\n    country character varying(2)")
	e.add("COMMENT ON COLUMN public.plants.tag_no IS 'on the metal tag'")
}

func dropsOfAllKinds(e *edited) {
	e.dropTable("donations")
	e.dropTable("donors")
	e.drop("CREATE VIEW public.donor_totals")
	e.dropTable("tour_stops")
	e.without("visits", "visitor_id bigint")
	e.drop("CREATE INDEX index_visits_on_visitor_id")
	e.drop("ALTER TABLE ONLY public.visits\n    ADD CONSTRAINT visits_visitor_id_fkey")
	e.drop("CREATE VIEW public.urgent_tasks")
	e.drop("CREATE VIEW public.top_gardens")
	e.drop("CREATE MATERIALIZED VIEW public.garden_ranking")
	e.drop("CREATE INDEX index_garden_ranking_on_place")
	e.drop("CREATE TRIGGER plants_audit")
	e.drop("CREATE POLICY plants_visible")
	e.drop("CREATE FUNCTION public.full_party")
	e.in("CREATE VIEW public.visit_calendar", "v.party_size,\n    public.full_party(v.party_size) AS crowded", "v.party_size")
	e.in("CREATE VIEW public.crowded_days", "WHERE visit_calendar.crowded", "WHERE (visit_calendar.party_size > 20)")
	e.without("loans", "CONSTRAINT loans_other_check CHECK ((lender_id <> borrower_id))")
	e.drop("COMMENT ON CONSTRAINT loans_other_check")
	e.drop("CREATE INDEX index_orders_on_placed_at")
	e.drop("ALTER TABLE ONLY public.labels\n    ADD CONSTRAINT labels_name_key")
	e.drop("COMMENT ON FUNCTION public.season")
	e.without("gardens", "area numeric(10,2)")
	e.in("CREATE VIEW public.garden_overview", "    g.area,\n", "")
	e.add("CREATE TABLE public.closures (\n    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\n    garden_id bigint NOT NULL REFERENCES public.gardens(id),\n    during daterange NOT NULL\n)")
	e.column("sensors", "installed_on date", "installed_on date DEFAULT CURRENT_DATE NOT NULL")
}

func viewsOfAllKinds(e *edited) {
	e.in("CREATE VIEW public.late_orders", "30 days", "14 days")
	e.in("CREATE VIEW public.visit_income", "AS income", "AS income,\n    count(*) AS tickets")
	e.in("CREATE VIEW public.task_board", "t.priority,\n    v.name AS volunteer", "v.name AS volunteer,\n    t.priority")
	e.in("CREATE MATERIALIZED VIEW public.plant_stock", "plant_list.height,\n", "plant_list.height,\n    plant_list.bed,\n")
	e.in("CREATE UNIQUE INDEX index_plant_stock_on_code", "(code)", "(code, label)")
	e.replace("CREATE VIEW public.volunteer_board", "CREATE MATERIALIZED VIEW public.volunteer_board")
	e.drop("CREATE VIEW public.seed_shortage")
	e.replace("SELECT sum(capacity) FROM", "SELECT sum(GREATEST(capacity, 1)) FROM")
	e.column("gardens", "name character varying(120) NOT NULL", "name text NOT NULL")
	e.in("CREATE INDEX index_gardens_on_lower_and_name", "lower((name)::text)", "lower(name)")
	e.add("CREATE VIEW public.garden_codes AS\n SELECT gardens.code,\n    garden_overview.plants\n   FROM (public.gardens\n     JOIN public.garden_overview USING (id))")
	e.in("CREATE INDEX index_visits_on_garden_id_and_starts_at", "garden_id, starts_at", "garden_id, starts_at DESC")
	e.in("ALTER TABLE ONLY public.labellings\n    ADD CONSTRAINT labellings_plant_id_fkey", "CASCADE", "RESTRICT")
	e.replace("loans_other_check CHECK ((lender_id <> borrower_id))", "loans_other_check CHECK (((lender_id <> borrower_id) AND (due_on > lent_on)))")
	e.in("CREATE VIEW accounting.balances", "a.name,", "a.name,\n    a.number,")
	e.column("tickets", "used boolean DEFAULT false NOT NULL", "used boolean DEFAULT false NOT NULL,\n    used_at timestamp with time zone")
	e.add("COMMENT ON VIEW public.plant_list IS 'plants that live'")
}

func enumLabels(e *edited) {
	e.replace("    'guided',\n    'school',\n", "    'guided',\n")
	e.replace("    'draft',\n    'sent',\n", "    'draft',\n    'approved',\n    'sent',\n")
	e.in("CREATE VIEW public.open_orders", "'draft'::public.order_state,", "'draft'::public.order_state, 'approved'::public.order_state,")
	e.replace("    'dormant',\n", "")
	e.column("labels", "name character varying(60) NOT NULL", "name character varying(60) NOT NULL,\n    mood public.label_mood DEFAULT 'calm'::public.label_mood NOT NULL")
	e.before("CREATE DOMAIN public.email_address", "CREATE TYPE public.label_mood AS ENUM (\n    'calm',\n    'loud'\n)")
	e.replace("'^[^@]+@[^@]+$'::text", "'^[^@ ]+@[^@ ]+$'::text")
	e.column("plants", "note text", "note text DEFAULT ''::text NOT NULL")
	e.in("CREATE TRIGGER plants_audit", "(old.state IS DISTINCT FROM new.state)", "(new.state = 'dead'::public.plant_state)")
	e.in("CREATE INDEX index_plants_on_bed_id_and_species_id", "bed_id, species_id", "species_id, bed_id")
	e.in("ALTER TABLE ONLY public.order_lines\n    ADD CONSTRAINT order_lines_species_id_fkey", "SET NULL", "RESTRICT")
	e.without("tickets", "used boolean DEFAULT false NOT NULL")
	e.replace("RETURN size >= 20;", "RETURN size > 20;")
	e.in("CREATE VIEW public.tour_plan", "WHERE g.active", "WHERE (g.active AND (t.minutes < 600))")
	e.add("ALTER TABLE ONLY public.donors\n    ADD CONSTRAINT donors_name_key UNIQUE (name)")
	e.add("CREATE TABLE public.moods (\n    label_id bigint NOT NULL REFERENCES public.labels(id) ON DELETE CASCADE,\n    mood public.label_mood NOT NULL,\n    PRIMARY KEY (label_id, mood)\n)")
}

// newTables adds tables that refer to each other, to old ones, and from old ones.
func newTables(e *edited) {
	e.add("CREATE TYPE public.glazing AS ENUM ('single', 'double')")
	e.add("CREATE DOMAIN public.celsius AS numeric(4,1) CONSTRAINT celsius_check CHECK ((VALUE > '-60'::numeric))")
	e.add("CREATE TABLE public.greenhouses (\n    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,\n    garden_id bigint NOT NULL,\n    climate_id bigint,\n    glazing public.glazing DEFAULT 'double'::public.glazing NOT NULL,\n    low public.celsius,\n    high public.celsius,\n    middle numeric GENERATED ALWAYS AS (((low)::numeric + (high)::numeric) / (2)::numeric) STORED,\n    updated_at timestamp with time zone,\n    CONSTRAINT greenhouses_order_check CHECK ((low)::numeric < (high)::numeric)\n)")
	e.add("CREATE TABLE public.climates (\n    id bigserial PRIMARY KEY,\n    name text NOT NULL UNIQUE,\n    model_id bigint\n)")
	e.add("ALTER TABLE public.greenhouses ADD CONSTRAINT greenhouses_climate_fk FOREIGN KEY (climate_id) REFERENCES public.climates(id) ON DELETE SET NULL")
	e.add("ALTER TABLE public.climates ADD CONSTRAINT climates_model_fk FOREIGN KEY (model_id) REFERENCES public.greenhouses(id) DEFERRABLE INITIALLY DEFERRED")
	e.add("ALTER TABLE public.greenhouses ADD CONSTRAINT greenhouses_garden_fk FOREIGN KEY (garden_id) REFERENCES public.gardens(id) ON DELETE CASCADE")
	e.column("beds", "capacity integer DEFAULT 10 NOT NULL", "capacity integer DEFAULT 10 NOT NULL,\n    greenhouse_id bigint")
	e.add("ALTER TABLE public.beds ADD CONSTRAINT beds_greenhouse_fk FOREIGN KEY (greenhouse_id) REFERENCES public.greenhouses(id)")
	e.add("CREATE INDEX index_beds_on_greenhouse_id ON public.beds USING btree (greenhouse_id) WHERE (greenhouse_id IS NOT NULL)")
	e.add("CREATE TRIGGER greenhouses_touch BEFORE UPDATE ON public.greenhouses FOR EACH ROW EXECUTE FUNCTION public.touch_row()")
	e.add("ALTER TABLE public.greenhouses ENABLE ROW LEVEL SECURITY")
	e.add("CREATE POLICY greenhouses_all ON public.greenhouses USING (true)")
	e.add("CREATE TABLE public.measures (\n    greenhouse_id bigint NOT NULL REFERENCES public.greenhouses(id),\n    taken_on date NOT NULL,\n    value public.celsius\n)\nPARTITION BY RANGE (taken_on)")
	e.add("CREATE TABLE public.measures_2025 PARTITION OF public.measures FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')")
	e.add("CREATE TABLE public.measures_rest PARTITION OF public.measures DEFAULT")
	e.add("CREATE INDEX index_measures_on_taken_on ON public.measures USING btree (taken_on)")
	e.add("CREATE VIEW public.greenhouse_heat AS\n SELECT g.id,\n    avg((m.value)::numeric) AS heat\n   FROM (public.greenhouses g\n     JOIN public.measures m ON ((m.greenhouse_id = g.id)))\n  GROUP BY g.id")
	e.add("COMMENT ON TABLE public.greenhouses IS 'houses of glass'")
	e.column("visits", "party_size integer DEFAULT 1 NOT NULL", "party_size smallint DEFAULT 1 NOT NULL")
	e.in("CREATE VIEW public.full_gardens", ">=", ">")
	e.replace("hardy_from <= hardy_to", "hardy_from < hardy_to")
}

func constraints(e *edited) {
	e.column("species", "family character varying(80)", "family character varying(80) NOT NULL")
	e.add("ALTER TABLE ONLY public.volunteers\n    ADD CONSTRAINT volunteers_mail_key UNIQUE (mail)")
	e.drop("ALTER TABLE ONLY public.beds\n    ADD CONSTRAINT beds_garden_id_and_label_key")
	e.add("CREATE UNIQUE INDEX index_beds_on_garden_id_and_label ON public.beds USING btree (garden_id, label)")
	e.replace("CHECK ((capacity >= 0))", "CHECK (((capacity >= 0) AND (capacity <= 500)))")
	e.add("ALTER TABLE public.suppliers\n    ADD CONSTRAINT suppliers_country_check CHECK ((length((country)::text) = 2)) NOT VALID")
	e.in("ALTER TABLE ONLY public.orders\n    ADD CONSTRAINT orders_supplier_id_fkey", "RESTRICT", "CASCADE DEFERRABLE")
	e.add("ALTER TABLE ONLY public.audits\n    ADD CONSTRAINT audits_row_id_fkey FOREIGN KEY (row_id) REFERENCES public.plants(id) ON DELETE SET NULL")
	e.drop("ALTER TABLE ONLY accounting.bookings\n    ADD CONSTRAINT bookings_order_id_fkey")
	e.replace("    ADD CONSTRAINT labellings_pkey PRIMARY KEY (id)", "    ADD CONSTRAINT labellings_pkey PRIMARY KEY (label_id, plant_id)")
	e.column("visitors", "joined_on date DEFAULT CURRENT_DATE NOT NULL", "joined_on date DEFAULT CURRENT_DATE")
	e.column("sensors", "unit character varying(8) NOT NULL", "unit character varying(4) NOT NULL")
	e.column("donors", "since integer", "since character varying(10)")
	e.column("audits", "subject text NOT NULL", "subject character varying(60) NOT NULL")
	e.column("beds", "surface numeric GENERATED ALWAYS AS ((width * length)) STORED", "surface numeric GENERATED ALWAYS AS (round((width * length), 1)) STORED")
	e.replace("CHECK ((arrived_on >= sent_on))", "CHECK (((arrived_on >= sent_on) OR (sent_on IS NULL)))")
	e.add("ALTER TABLE public.shipments\n    ADD CONSTRAINT shipments_one_at_a_time EXCLUDE USING gist (daterange(sent_on, arrived_on) WITH &&) WHERE (carrier IS NULL)")
	e.column("guides", "active boolean DEFAULT true NOT NULL", "active boolean DEFAULT false NOT NULL")
	e.in("CREATE VIEW public.shipment_times", "(s.arrived_on - s.sent_on)", "((s.arrived_on - s.sent_on) + 1)")
}

func routines(e *edited) {
	e.in("CREATE FUNCTION public.plant_label", "(genus text, epithet text)", "(first text, second text)", "initcap(genus) || ' ' || lower(epithet)", "initcap(first) || ' ' || lower(second)")
	e.in("CREATE FUNCTION public.season", "RETURNS integer", "RETURNS smallint", "/ 3 $$", "/ 3)::smallint $$", "SELECT (EXTRACT", "SELECT ((EXTRACT")
	e.in("CREATE FUNCTION public.garden_capacity", "STABLE", "STABLE SECURITY DEFINER")
	e.in("CREATE FUNCTION public.touch_row", "now()", "clock_timestamp()")
	e.before("CREATE FUNCTION public.plant_label", "CREATE FUNCTION public.note_row() RETURNS trigger\n    LANGUAGE plpgsql\n    AS $$\nBEGIN\n  RETURN NEW;\nEND;\n$$")
	e.in("CREATE TRIGGER plants_touch", "public.touch_row()", "public.note_row()")
	e.in("CREATE TRIGGER orders_audit", "audit_row('orders')", "audit_row('order')")
	e.in("CREATE TRIGGER beds_touch", "BEFORE UPDATE ON", "BEFORE UPDATE OF label, kind ON")
	e.in("CREATE POLICY plants_visible", "FOR SELECT ", "FOR SELECT TO CURRENT_USER ")
	e.add("CREATE POLICY plants_insert ON public.plants FOR INSERT WITH CHECK ((public.season(planted_on) <> 0))")
	e.add("ALTER TABLE public.plants FORCE ROW LEVEL SECURITY")
	e.add("CREATE PROCEDURE public.age(IN days integer)\n    LANGUAGE sql\n    AS $_$ UPDATE public.plants SET planted_on = planted_on - $1 $_$")
	e.column("tasks", "due_on date", "due_on date DEFAULT (CURRENT_DATE + 7)")
	e.column("loans", "due_on date", "due_on timestamp with time zone")
	e.in("CREATE INDEX index_volunteers_on_skills", "(skills)", "(skills) WITH (fastupdate=off)")
	e.without("order_lines", "CONSTRAINT order_lines_quantity_check CHECK ((quantity > 0))")
	e.replace("'0 is winter'", "'0 is winter, 1 is spring'")
	e.in("ALTER TABLE ONLY public.shifts\n    ADD CONSTRAINT shifts_garden_id_fkey", "REFERENCES public.gardens(id)", "REFERENCES public.gardens(id) ON UPDATE CASCADE")
}

// release renames a table with all that Rails names after it, beside what else came together in a release.
func release(e *edited) {
	e.renameTable("order_lines", "order_items")
	e.all("order_lines_", "order_items_")
	e.all("index_order_lines_", "index_order_items_")
	e.replace("FROM public.order_items WHERE order_id = $1", "FROM public.order_items i WHERE i.order_id = $1")
	e.column("order_items", "unit_price numeric(10,2) NOT NULL", "price numeric(14,4) NOT NULL -- @renamed from=unit_price")
	e.replace("sum(quantity * unit_price)", "sum(quantity * price)")
	e.without("beds", "kind character varying(20) DEFAULT 'open'::character varying NOT NULL")
	e.in("CREATE INDEX index_beds_on_garden_id_and_kind", "CREATE INDEX index_beds_on_garden_id_and_kind ON public.beds USING btree (garden_id, kind)", "CREATE INDEX index_beds_on_garden_id ON public.beds USING btree (garden_id)")
	e.in("CREATE TABLE public.plant_events_2023", "CREATE TABLE public.plant_events_2023", "CREATE TABLE public.plant_events_2025")
	e.all("plant_events_2023_pkey", "plant_events_2025_pkey")
	e.all("plant_events_2023_plant_id_idx", "plant_events_2025_plant_id_idx")
	e.all("public.plant_events_2023", "public.plant_events_2025")
	e.replace("FROM ('2023-01-01 00:00:00+00') TO ('2024-01-01 00:00:00+00')", "FROM ('2025-01-01 00:00:00+00') TO ('2026-01-01 00:00:00+00')")
	e.column("plants", "note text", "note character varying(500)")
	e.column("gardens", "visitors_count integer DEFAULT 0 NOT NULL", "visitors_count bigint DEFAULT 0 NOT NULL")
	e.in("CREATE VIEW public.supplier_totals", "AS ordered", "AS ordered,\n    count(*) AS orders")
	e.replace("    'paid',\n", "    'paid',\n    'refunded',\n")
	e.in("ALTER TABLE ONLY public.loans\n    ADD CONSTRAINT loans_plant_id_fkey", "REFERENCES public.plants(id)", "REFERENCES public.plants(id) ON DELETE CASCADE")
	e.in("CREATE TRIGGER gardens_touch", "FOR EACH ROW", "FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*))")
	e.add("CREATE TABLE public.refunds (\n    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\n    order_id integer NOT NULL REFERENCES public.orders(id),\n    item_id bigint REFERENCES public.order_items(id)\n)")
	e.column("orders", "remark character varying(200)", "remark character varying(200),\n    last_refund_id bigint")
	e.add("ALTER TABLE public.orders ADD CONSTRAINT orders_last_refund_fk FOREIGN KEY (last_refund_id) REFERENCES public.refunds(id)")
	e.in("CREATE POLICY volunteers_own", "(mail)::text", "lower((mail)::text)")
	e.dropTable("sensors")
}
