integer: 0
integer: 1
integer: -1
integer: '7'
integer: '-8'::integer
integer: 1 + 2
integer: nextval('counter')
integer: nextval('public.counter'::regclass)
integer: nextval('billing.numbers')
integer: (random() * 10)::int
integer: NULL
bigint: 0
bigint: 1
bigint: 5000000000
bigint: -2
bigint: '3'
bigint: nextval('counter'::regclass)
smallint: 1
smallint: '2'
numeric(10,2): 0
numeric(10,2): 0.00
numeric(10,2): 1.5
numeric: 0
numeric: '2.5'
numeric: 1e2
double precision: 1
double precision: 1.5
double precision: '2.5'
real: 0.1
boolean: true
boolean: 'f'
boolean: (NOT true)
text: ''
text: 'x'
text: 'it''s'
text: E'a\nb'
text: E'back\\slash'
text: NULL
text: 'x'::varchar
text: CURRENT_USER
text: md5(random()::text)
text: 'a' || 'b'
text: gen_random_uuid()::text
text: upper('x')
character varying(20): 'x'
character varying(20): 'x'::text
character varying(20): ('y')
character varying(20): 'z'::character varying(20)
character varying: 'v'
character(3): 'abc'
character(3): 'ab'::bpchar
uuid: gen_random_uuid()
uuid: '00000000-0000-0000-0000-000000000000'
date: CURRENT_DATE
date: now()
date: '2020-01-01'
date: CURRENT_DATE + 1
date: (now() AT TIME ZONE 'utc')::date
timestamp without time zone: now()
timestamp without time zone: CURRENT_TIMESTAMP
timestamp without time zone: LOCALTIMESTAMP
timestamp without time zone: timezone('utc', now())
timestamp without time zone: (now() AT TIME ZONE 'utc')
timestamp with time zone: now()
timestamp with time zone: CURRENT_TIMESTAMP
timestamp with time zone: CURRENT_TIMESTAMP(3)
timestamp with time zone: clock_timestamp()
timestamp with time zone: now() + interval '1 hour'
timestamp with time zone: now() + '7 days'
timestamp(3) with time zone: CURRENT_TIMESTAMP
interval: '1 day'
interval: '2 hours'
interval: interval '30' minute
interval: '1 week'
time without time zone: '00:00'
jsonb: '{}'
jsonb: '[]'::jsonb
jsonb: jsonb_build_object('a', 1)
jsonb: jsonb_build_object()
json: '{}'
text[]: '{}'
text[]: ARRAY[]::text[]
text[]: '{a,b}'
text[]: ARRAY['a', 'c']
character varying(10)[]: ARRAY['a']
character varying(10)[]: ARRAY[]::varchar[]
integer[]: '{1,2}'
integer[]: ARRAY[1, 3]
bigint[]: ARRAY[1, 4]
status: 'new'
status: 'open'::status
status: 'closed'::public.status
billing.kind: 'card'
status[]: '{new}'
status[]: ARRAY['new', 'open']::status[]
email: 'a@b'
email: 'a@c'::text
code: 'x'
amount: 0
bytea: '\x00'
bit(3): B'101'
bit varying(3): '10'
inet: '127.0.0.1'
place: ROW('a', 'b', 1)
daterange: daterange(CURRENT_DATE, NULL)
tsvector: ''
money: 0
regclass: 'users'
oid: 0
xml: '<a/>'
integer: plus(1)
text: slug('A')
text: to_char(now(), 'YYYY')
text: concat('a', 1)
text: concat('a', 'b'::text)
