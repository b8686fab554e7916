package postgres_test

// wanted are the steps of each script's plan: by kind, the objects that have one.
var wanted = map[string]string{
	"type under views": `
add_check: tasks.tasks_priority_check
add_column: beds.drain_id
add_foreign_key: beds.beds_drain_id_fkey; drains.drains_bed_id_fkey; tickets.tickets_visit_id_fkey
add_unique: suppliers.suppliers_name_key
alter_column: guides.fee; plants.height; suppliers.country
alter_function: audit_row()
alter_index: beds.index_beds_on_garden_id_and_kind
alter_type: plant_state
alter_view: visit_income
comment: table plants
create_index: garden_ranking.index_garden_ranking_on_place; plant_stock.index_plant_stock_on_code; plant_stock.index_plant_stock_on_height; plant_stock.index_plant_stock_on_label
create_materialized_view: garden_ranking; plant_stock
create_table: drains
create_view: full_gardens; garden_overview; garden_plants; plant_list; top_gardens
drop_check: tasks.tasks_priority_check
drop_column: seed_lots.weight; suppliers.rating
drop_foreign_key: tickets.tickets_visit_id_fkey
drop_index: suppliers.index_suppliers_on_rating
drop_materialized_view: garden_ranking; plant_stock
drop_view: full_gardens; garden_overview; garden_plants; plant_list; top_gardens`,
	"wider key": `
add_check: seed_lots.seed_lots_quantity_check
alter_column: accounting.bookings.order_id; labels.colour; order_lines.order_id; orders.id; shipments.order_id
alter_domain: money_amount
alter_index: orders.index_orders_on_placed_at
alter_sequence: orders_id_seq
comment: column orders.number
create_function: order_total(bigint)
create_policy: volunteers.volunteers_own
create_table: plant_events_2025
create_trigger: orders.orders_audit
create_view: late_orders; open_orders; order_totals; sent_orders; shipment_times; supplier_totals
drop_foreign_key: donations.donations_garden_id_fkey
drop_function: order_total(integer)
drop_policy: volunteers.volunteers_own
drop_trigger: orders.orders_audit
drop_view: late_orders; open_orders; order_totals; shipment_times; supplier_totals`,
	"renames": `
add_column: donors.country
add_foreign_key: tasks.tasks_bed_id_fkey
alter_column: tours.minutes
alter_function: order_total(integer)
alter_index: tasks.index_tasks_on_bed_id
comment: column plants.tag_no
drop_foreign_key: tasks.tasks_bed_id_fkey
rename_column: beds.breadth; order_lines.price; plants.tag_no; species.genus_name; visits.people; volunteers.hours_before
rename_table: tags`,
	"drops": `
add_foreign_key: closures.closures_garden_id_fkey
alter_column: sensors.installed_on
comment: function season(date)
create_table: closures
create_view: crowded_days; full_gardens; garden_overview; visit_calendar
drop_check: loans.loans_other_check
drop_column: gardens.area; visits.visitor_id
drop_foreign_key: visits.visits_visitor_id_fkey
drop_function: full_party(integer)
drop_index: orders.index_orders_on_placed_at; visits.index_visits_on_visitor_id
drop_materialized_view: garden_ranking
drop_policy: plants.plants_visible
drop_table: donations; donors; tour_stops
drop_trigger: plants.plants_audit
drop_unique: labels.labels_name_key
drop_view: crowded_days; donor_totals; full_gardens; garden_overview; top_gardens; urgent_tasks; visit_calendar`,
	"views": `
add_check: loans.loans_other_check
add_column: tickets.used_at
add_foreign_key: labellings.labellings_plant_id_fkey
alter_column: gardens.name
alter_function: garden_capacity(bigint)
alter_index: visits.index_visits_on_garden_id_and_starts_at
alter_view: late_orders; visit_income
comment: constraint loans.loans_other_check; view plant_list
create_index: garden_ranking.index_garden_ranking_on_place; plant_stock.index_plant_stock_on_code; plant_stock.index_plant_stock_on_height; plant_stock.index_plant_stock_on_label
create_materialized_view: garden_ranking; plant_stock; volunteer_board
create_view: accounting.balances; crowded_days; full_gardens; garden_codes; garden_overview; loan_book; task_board; top_gardens; urgent_tasks; visit_calendar
drop_check: loans.loans_other_check
drop_foreign_key: labellings.labellings_plant_id_fkey
drop_materialized_view: garden_ranking; plant_stock
drop_view: accounting.balances; crowded_days; full_gardens; garden_overview; loan_book; seed_shortage; task_board; top_gardens; urgent_tasks; visit_calendar; volunteer_board`,
	"enums": `
add_column: labels.mood
add_foreign_key: moods.moods_label_id_fkey; order_lines.order_lines_species_id_fkey
add_unique: donors.donors_name_key
alter_column: plants.note
alter_domain: email_address
alter_function: full_party(integer)
alter_index: plants.index_plants_on_bed_id_and_species_id
alter_type: order_state; plant_state; visit_kind
alter_view: open_orders; tour_plan
create_index: garden_ranking.index_garden_ranking_on_place; plant_stock.index_plant_stock_on_code; plant_stock.index_plant_stock_on_height; plant_stock.index_plant_stock_on_label; plants.index_plants_on_planted_on
create_materialized_view: garden_ranking; plant_stock
create_policy: plants.plants_visible
create_table: moods
create_trigger: plants.plants_audit
create_type: label_mood
create_view: crowded_days; full_gardens; garden_overview; garden_plants; plant_list; top_gardens; visit_calendar
drop_column: tickets.used
drop_foreign_key: order_lines.order_lines_species_id_fkey
drop_index: plants.index_plants_on_planted_on
drop_materialized_view: garden_ranking; plant_stock
drop_policy: plants.plants_visible
drop_trigger: plants.plants_audit
drop_view: crowded_days; full_gardens; garden_overview; garden_plants; plant_list; top_gardens; visit_calendar`,
	"new tables": `
add_check: species.species_hardy_check
add_column: beds.greenhouse_id
add_foreign_key: beds.beds_greenhouse_fk; climates.climates_model_fk; greenhouses.greenhouses_climate_fk; greenhouses.greenhouses_garden_fk; measures.measures_greenhouse_id_fkey
alter_column: visits.party_size
alter_view: full_gardens
comment: table greenhouses
create_domain: celsius
create_index: beds.index_beds_on_greenhouse_id
create_policy: greenhouses.greenhouses_all
create_table: climates; greenhouses; measures; measures_2025; measures_rest
create_trigger: greenhouses.greenhouses_touch
create_type: glazing
create_view: crowded_days; greenhouse_heat; visit_calendar
drop_check: species.species_hardy_check
drop_view: crowded_days; visit_calendar`,
	"constraints": `
add_check: beds.beds_capacity_check; shipments.shipments_dates_check; suppliers.suppliers_country_check
add_exclusion: shipments.shipments_one_at_a_time
add_foreign_key: audits.audits_row_id_fkey; orders.orders_supplier_id_fkey
add_primary_key: labellings.labellings_pkey
add_unique: volunteers.volunteers_mail_key
alter_column: audits.subject; beds.surface; donors.since; guides.active; sensors.unit; species.family; visitors.joined_on
alter_view: shipment_times
create_index: beds.index_beds_on_garden_id_and_label
drop_check: beds.beds_capacity_check; shipments.shipments_dates_check
drop_foreign_key: accounting.bookings.bookings_order_id_fkey; orders.orders_supplier_id_fkey
drop_primary_key: labellings.labellings_pkey
drop_unique: beds.beds_garden_id_and_label_key`,
	"routines": `
add_foreign_key: shifts.shifts_garden_id_fkey
alter_column: loans.due_on; tasks.due_on
alter_function: garden_capacity(bigint); touch_row()
alter_index: volunteers.index_volunteers_on_skills
alter_table: plants
comment: function season(date)
create_function: note_row(); plant_label(text, text); season(date)
create_index: garden_ranking.index_garden_ranking_on_place; plant_stock.index_plant_stock_on_code; plant_stock.index_plant_stock_on_height; plant_stock.index_plant_stock_on_label; plants.index_plants_on_planted_on_and_height; species.index_species_on_plant_label_and_genus_and_epithet
create_materialized_view: garden_ranking; plant_stock
create_policy: plants.plants_insert; plants.plants_visible
create_procedure: age(integer)
create_trigger: beds.beds_touch; orders.orders_audit; plants.plants_touch
create_view: full_gardens; garden_overview; garden_plants; loan_book; plant_list; top_gardens
drop_check: order_lines.order_lines_quantity_check
drop_foreign_key: shifts.shifts_garden_id_fkey
drop_function: plant_label(text, text); season(date)
drop_index: plants.index_plants_on_planted_on_and_height; species.index_species_on_plant_label_and_genus_and_epithet
drop_materialized_view: garden_ranking; plant_stock
drop_policy: plants.plants_visible
drop_trigger: beds.beds_touch; orders.orders_audit; plants.plants_touch
drop_view: full_gardens; garden_overview; garden_plants; loan_book; plant_list; top_gardens`,
	"release": `
add_column: orders.last_refund_id
add_foreign_key: loans.loans_plant_id_fkey; orders.orders_last_refund_fk; refunds.refunds_item_id_fkey; refunds.refunds_order_id_fkey
alter_column: gardens.visitors_count; order_items.price; plants.note
alter_function: order_total(integer)
alter_type: order_state
alter_view: supplier_totals
create_index: beds.index_beds_on_garden_id
create_policy: volunteers.volunteers_own
create_table: plant_events_2025; refunds
create_trigger: gardens.gardens_touch
drop_column: beds.kind
drop_foreign_key: loans.loans_plant_id_fkey
drop_index: beds.index_beds_on_garden_id_and_kind
drop_policy: volunteers.volunteers_own
drop_table: plant_events_2023; sensors
drop_trigger: gardens.gardens_touch
rename_column: order_items.price
rename_index: order_items.index_order_items_on_order_id; order_items.index_order_items_on_species_id
rename_table: order_items`,
}
