package postgres_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/plan"
)

// TestLargeSchema plans ten pull requests on a schema of 150 tables, and runs each plan on a server, with rows in the tables: it
// leads to the head's catalog, takes just the steps that are wanted, and keeps the rows.
func TestLargeSchema(t *testing.T) {
	base := structure()
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			head := s.head(t, base)
			if diff := cmp.Diff(strings.TrimSpace(wanted[s.name]), kinds(reviewed(t, base, head))); diff != "" {
				t.Errorf("steps (-want +got)\n%s", diff)
			}
			if back := reviewed(t, head, head); len(back.Steps) > 0 {
				t.Errorf("from the head to itself: %d steps", len(back.Steps))
			}
		})
	}
}

// kinds lists the objects of a plan's steps by kind.
func kinds(p *plan.Plan) string {
	objects := map[string][]string{}
	for _, s := range p.Steps {
		objects[s.Kind] = append(objects[s.Kind], s.Object)
	}
	var lines []string
	for _, kind := range slices.Sorted(maps.Keys(objects)) {
		slices.Sort(objects[kind])
		lines = append(lines, kind+": "+strings.Join(objects[kind], "; "))
	}
	return strings.Join(lines, "\n")
}

// TestLargeSchemaOnServer runs the plans of the scripts.
func TestLargeSchemaOnServer(t *testing.T) {
	base := structure()
	srv := connect(t)
	before := srv.database("base", "")
	load(t, before, base)
	load(t, before, filling)
	before.Close(context.Background()) // a template must have no connections
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			srv := &server{TB: t, url: srv.url, admin: srv.admin}
			text := s.head(t, base)
			head := srv.database(s.name+" head", "")
			load(t, head, text)
			db := srv.database(s.name, "base")
			for _, step := range reviewed(t, base, text).Steps {
				for _, sql := range step.Statements() {
					if _, err := db.Exec(context.Background(), sql); err != nil {
						t.Fatalf("step %s %s: %v, in\n%s", step.Kind, step.Object, err, sql)
					}
				}
			}
			want := described(t, head)
			if len(want) < 2500 {
				t.Fatalf("the head's catalog is said in %d lines, fewer than it has parts", len(want))
			}
			if diff := cmp.Diff(want, described(t, db)); diff != "" {
				t.Errorf("the catalog (-head +after the plan)\n%s", diff)
			}
			for _, r := range append(kept, s.rows...) {
				query, want, _ := strings.Cut(r, " => ")
				if got := strings.Join(texts(t, db, query), " "); got != want {
					t.Errorf("%s: %s, want %s", query, got, want)
				}
			}
		})
	}
}

// head is the text that a script makes of the base.
func (s edits) head(tb testing.TB, base string) string {
	tb.Helper()
	e := &edited{TB: tb, sql: base}
	s.apply(e)
	return e.sql
}

// TestLargeSchemaIsLarge holds the structure to what it stands for.
func TestLargeSchemaIsLarge(t *testing.T) {
	text := structure()
	for what, least := range map[string]int{"\nCREATE TABLE ": 150, "INDEX index_": 400, "VIEW public.": 40, "\nCREATE TRIGGER ": 5, "FOREIGN KEY": 180} {
		if n := strings.Count(text, what); n < least {
			t.Errorf("%q: %d, want %d at least", what, n, least)
		}
	}
}

// TestLargePlanIsTheSame plans a second time with the statements of both sides in another order.
func TestLargePlanIsTheSame(t *testing.T) {
	base, other := structure(), shuffled(3)
	for _, s := range scripts {
		want, got := printed(reviewed(t, base, s.head(t, base))), printed(reviewed(t, other, s.head(t, other)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: another order of statements, another plan (-want +got)\n%s", s.name, diff)
		}
	}
}

func printed(p *plan.Plan) []string {
	var all []string
	for _, s := range p.Steps {
		all = append(all, s.Statements()...)
	}
	return all
}

// filling puts rows into tables that the scripts change.
const filling = `
INSERT INTO gardens (name, code, created_at, updated_at) VALUES ('North', 'N', now(), now()), ('South', 'S', now(), now());
INSERT INTO beds (garden_id, label, width, length) VALUES (1, 'A', 2, 3), (1, 'B', 1.5, 4), (2, 'A', NULL, 2);
INSERT INTO species (genus, epithet, family) VALUES ('Salix', 'alba', 'Salicaceae'), ('Acer', 'campestre', 'Sapindaceae');
INSERT INTO plants (bed_id, species_id, code, state, planted_on, height, price) VALUES (1, 1, 'P1', 'growing', '2023-03-01', 1200, 9.5), (2, 2, 'P2', 'dead', '2023-06-01', NULL, NULL), (3, 1, 'P3', 'seed', NULL, 3, 1);
INSERT INTO seed_lots (species_id, code, weight, quantity) VALUES (1, 'L1', 0.25, 100);
INSERT INTO suppliers (name, rating, mail) VALUES ('Greens', 4, 'hello@greens.example'), ('Roots', NULL, NULL);
INSERT INTO orders (supplier_id, number, state, total) VALUES (1, 'O-1', 'sent', 10), (2, 'O-2', 'draft', 0), (1, 'O-3', 'paid', 99.99);
INSERT INTO order_lines (order_id, species_id, quantity, unit_price) VALUES (1, 1, 2, 5), (3, 2, 3, 33.33);
INSERT INTO shipments (order_id, carrier, sent_on, arrived_on) VALUES (3, 'Post', '2024-01-02', '2024-01-05');
INSERT INTO visitors (mail, first_name, last_name) VALUES ('ann@example.com', 'Ann', 'Orr');
INSERT INTO visits (garden_id, visitor_id, kind, starts_at, party_size) VALUES (1, 1, 'guided', '2024-05-01 10:00+00', 25), (2, NULL, 'private', '2024-05-01 12:00+00', 2);
INSERT INTO tickets (visit_id, price, used) VALUES (1, 12, true), (2, 8, false);
INSERT INTO volunteers (garden_id, name, mail, hours) VALUES (1, 'Bo', 'bo@example.com', 12);
INSERT INTO shifts (volunteer_id, garden_id, starts_at, ends_at) VALUES (1, 1, '2024-05-01 08:00+00', '2024-05-01 12:00+00');
INSERT INTO tasks (volunteer_id, bed_id, title, due_on) VALUES (1, 1, 'Weed', '2024-05-02'), (NULL, 2, 'Water', NULL);
INSERT INTO sensors (bed_id, kind, unit, installed_on) VALUES (1, 'heat', 'C', '2024-01-01');
INSERT INTO loans (plant_id, lender_id, borrower_id, lent_on, due_on) VALUES (1, 1, 2, '2024-01-01', '2024-06-01');
INSERT INTO labels (name, colour) VALUES ('rare', '#aa0000');
INSERT INTO labellings (label_id, plant_id) VALUES (1, 1);
INSERT INTO guides (name) VALUES ('Cy');
INSERT INTO tours (guide_id, garden_id, title) VALUES (1, 1, 'Willows');
INSERT INTO donors (name, since) VALUES ('Di', 1999);
INSERT INTO donations (donor_id, garden_id, amount, given_on) VALUES (1, 1, 500, '2024-01-01');
INSERT INTO accounting.accounts (name, number) VALUES ('Shop', '4000');
INSERT INTO accounting.bookings (account_id, amount, booked_on, order_id) VALUES (1, 99.99, '2024-01-05', 3);
INSERT INTO plant_events (id, plant_id, happened_at, kind) VALUES (2, 1, '2024-02-01 00:00+00', 'pruned');
REFRESH MATERIALIZED VIEW plant_stock;`

// kept is what no script changes.
var kept = []string{
	"SELECT string_agg(id || ' ' || price, ', ' ORDER BY id) FROM plants => 1 9.50, 3 1.00",
	"SELECT string_agg(number || ' ' || total, ', ' ORDER BY id) FROM orders => O-1 10.00, O-2 0.00, O-3 99.99",
	"SELECT nextval('orders_id_seq')::text => 4",
	"SELECT count(*) || ' ' || max(plant_id) FROM plant_events => 1 1",
	"SELECT string_agg(g.name, ',' ORDER BY id) FROM gardens g => North,South",
}
