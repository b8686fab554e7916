package postgres_test

// views are a name and a query each; some stand on others, four deep.
const views = `
plant_list
 SELECT p.id,
    p.code,
    public.plant_label((s.genus)::text, (s.epithet)::text) AS label,
    p.height,
    p.state,
    b.garden_id,
    b.label AS bed
   FROM ((public.plants p
     JOIN public.species s ON ((s.id = p.species_id)))
     JOIN public.beds b ON ((b.id = p.bed_id)))
  WHERE (p.state <> 'dead'::public.plant_state)

garden_plants
 SELECT plant_list.garden_id,
    count(*) AS plants,
    max(plant_list.height) AS tallest
   FROM public.plant_list
  GROUP BY plant_list.garden_id

garden_overview
 SELECT g.id,
    g.name,
    g.area,
    COALESCE(gp.plants, (0)::bigint) AS plants,
    gp.tallest,
    public.garden_capacity(g.id) AS capacity
   FROM (public.gardens g
     LEFT JOIN public.garden_plants gp ON ((gp.garden_id = g.id)))

full_gardens
 SELECT garden_overview.id,
    garden_overview.name
   FROM public.garden_overview
  WHERE (garden_overview.plants >= garden_overview.capacity)

materialized plant_stock
 SELECT plant_list.code,
    plant_list.label,
    plant_list.height,
    plant_list.state
   FROM public.plant_list

materialized garden_ranking
 SELECT garden_overview.id,
    garden_overview.name,
    rank() OVER (ORDER BY garden_overview.plants DESC) AS place
   FROM public.garden_overview

top_gardens
 SELECT garden_ranking.id,
    garden_ranking.name
   FROM public.garden_ranking
  WHERE (garden_ranking.place <= 3)

order_totals
 SELECT o.id,
    o.number,
    o.supplier_id,
    o.state,
    public.order_total(o.id) AS total
   FROM public.orders o

supplier_totals
 SELECT s.id,
    s.name,
    sum(t.total) AS ordered
   FROM (public.suppliers s
     JOIN public.order_totals t ON ((t.supplier_id = s.id)))
  GROUP BY s.id, s.name

open_orders
 SELECT orders.id,
    orders.number,
    orders.placed_at
   FROM public.orders
  WHERE (orders.state = ANY (ARRAY['draft'::public.order_state, 'sent'::public.order_state]))

late_orders
 SELECT open_orders.id,
    open_orders.number
   FROM public.open_orders
  WHERE (open_orders.placed_at < (now() - '30 days'::interval))

shipment_times
 SELECT s.order_id,
    s.carrier,
    (s.arrived_on - s.sent_on) AS days
   FROM public.shipments s
  WHERE (s.arrived_on IS NOT NULL)

visit_calendar
 SELECT v.id,
    g.name AS garden,
    v.kind,
    date_trunc('day'::text, v.starts_at) AS day,
    v.party_size,
    public.full_party(v.party_size) AS crowded
   FROM (public.visits v
     JOIN public.gardens g ON ((g.id = v.garden_id)))

crowded_days
 SELECT visit_calendar.day,
    sum(visit_calendar.party_size) AS people
   FROM public.visit_calendar
  WHERE visit_calendar.crowded
  GROUP BY visit_calendar.day

visit_income
 SELECT v.id,
    sum(t.price) AS income
   FROM (public.visits v
     JOIN public.tickets t ON ((t.visit_id = v.id)))
  GROUP BY v.id

volunteer_hours
 SELECT v.id,
    v.name,
    (v.hours + (COALESCE(sum(EXTRACT(epoch FROM (s.ends_at - s.starts_at))), (0)::numeric) / (3600)::numeric)) AS hours
   FROM (public.volunteers v
     LEFT JOIN public.shifts s ON ((s.volunteer_id = v.id)))
  GROUP BY v.id, v.name, v.hours

volunteer_board
 SELECT volunteer_hours.name,
    volunteer_hours.hours
   FROM public.volunteer_hours
  WHERE (volunteer_hours.hours > (10)::numeric)

task_board
 SELECT t.id,
    t.title,
    t.priority,
    v.name AS volunteer
   FROM (public.tasks t
     LEFT JOIN public.volunteers v ON ((v.id = t.volunteer_id)))
  WHERE (NOT t.done)

urgent_tasks
 SELECT task_board.id,
    task_board.title
   FROM public.task_board
  WHERE (task_board.priority = 1)

seed_stock
 SELECT s.id AS species_id,
    (((s.genus)::text || ' '::text) || (s.epithet)::text) AS name,
    COALESCE(sum(l.quantity), (0)::bigint) AS quantity
   FROM (public.species s
     LEFT JOIN public.seed_lots l ON ((l.species_id = s.id)))
  GROUP BY s.id

seed_shortage
 SELECT seed_stock.name
   FROM public.seed_stock
  WHERE (seed_stock.quantity < 5)

donor_totals
 SELECT d.id,
    d.name,
    sum(g.amount) AS given
   FROM (public.donors d
     JOIN public.donations g ON ((g.donor_id = d.id)))
  GROUP BY d.id, d.name

tour_plan
 SELECT t.id,
    t.title,
    g.name AS guide,
    t.minutes
   FROM (public.tours t
     JOIN public.guides g ON ((g.id = t.guide_id)))
  WHERE g.active

loan_book
 SELECT l.id,
    p.code,
    a.name AS lender,
    b.name AS borrower,
    l.due_on
   FROM (((public.loans l
     JOIN public.plants p ON ((p.id = l.plant_id)))
     JOIN public.gardens a ON ((a.id = l.lender_id)))
     JOIN public.gardens b ON ((b.id = l.borrower_id)))

accounting.balances
 SELECT a.id,
    a.name,
    COALESCE(sum(b.amount), (0)::numeric) AS balance
   FROM (accounting.accounts a
     LEFT JOIN accounting.bookings b ON ((b.account_id = a.id)))
  GROUP BY a.id, a.name`
