age > 0
age >= 18 AND age <= 150
age BETWEEN 18 AND 150
age NOT BETWEEN 18 AND 150
age BETWEEN SYMMETRIC 18 AND 150
(age > 0) AND ((small > 0) AND (ratio > 0))
age > 0 AND small > 0 AND ratio > 0
age > 0 OR (small > 0 OR ratio > 0)
(age > 0 AND small > 0) OR ratio > 0
age > 0 AND (small > 0 OR ratio > 0)
NOT age > 0
NOT (age > 0 AND active)
age <> 0
age != 1
age = -1
age = - 2
-age < 0
age + small > 10
age * 2 + 1 > 10
age * (2 + 1) > 10
age % 2 = 0
age::bigint > 5
age > 5000000000
any_number > 1
any_number > 1.5
any_number > 1::numeric
any_number > 1.50
any_number > 1e3
score > 0
score >= 0.00
ratio > 0
ratio > 0.5
ratio > '0.5'
ratio < 1e10
weight > 1.5
small IN (1, 2, 3)
small = 1::smallint
id > 0
id IN (1, 2)
age IN (1, 2, 3)
age IN (1)
age NOT IN (1, 2, 3)
age = ANY (ARRAY[1, 2, 4])
age = ANY ('{1,2,5}')
age = ANY ('{1,2,6}'::integer[])
age <> ALL (ARRAY[7, 8])
age IN (1, small, 3)
age IN (small, id)
name = 'x'
name <> ''
name::varchar = 'y'
name IN ('a', 'b')
name = ANY (ARRAY['a', 'c'])
name = ANY ('{a,d}')
name NOT IN ('a', 'b')
nick = 'x'
nick IN ('a', 'b')
nick NOT IN ('a', 'c')
nick = ANY (ARRAY['a'::varchar, 'd'::varchar])
nick::text = ANY (ARRAY['a'::text, 'e'::text])
handle = 'x'
handle <> nick
handle = name
letter = 'abc'
letter IN ('a', 'b')
letter::text = 'ab'
mail ~ '^.+@.+$'
mail ~* 'X'
mail !~ 'y'
mail = 'a@b'
ref = 'x'
ref IN ('x', 'y')
lower(name) = name
lower(mail) = mail
lower(nick) = nick
upper(name::text) = 'X'
length(name) > 3
char_length(nick) <= 10
character_length(name) < 9
length(trim(name)) > 0
btrim(name) <> ''
trim(both from name) <> 'q'
trim(leading ' ' from name) <> ''
ltrim(name, 'x') <> ''
trim(trailing 'x' from name) <> ''
position('@' in mail) > 1
strpos(mail, '@') > 2
substring(name from 1 for 3) = 'abc'
substring(name, 1, 4) = 'abc'
substring(name from 'a.c') = 'abc'
substr(name, 2) = 'x'
overlay(name placing 'x' from 2 for 1) = 'y'
left(name, 1) = 'a'
replace(name, 'a', 'b') <> ''
name || 'x' = 'yx'
name || nick <> ''
name || age <> ''
concat(name, 'x', age) <> ''
name LIKE 'a%'
name NOT LIKE 'b%'
name ILIKE 'c%'
nick NOT ILIKE 'd%'
name LIKE 'a!%' ESCAPE '!'
name SIMILAR TO 'a(b|c)'
name ~~ 'e%'
name IS NULL
name IS NOT NULL
nick IS DISTINCT FROM 'a'
nick IS NOT DISTINCT FROM 'a'
nick IS DISTINCT FROM NULL
age IS NOT DISTINCT FROM small
active
NOT active
active IS TRUE
active IS NOT TRUE
verified IS FALSE
verified IS NOT FALSE
verified IS UNKNOWN
verified IS NOT UNKNOWN
active = true
active = 't'
active = 'no'
verified <> false
true
false
born > '2020-01-01'
born > date '2020-01-02'
born >= '2020-01-03'::date
born < CURRENT_DATE
born < now()
created > '2020-01-01 00:00:00'
created < CURRENT_TIMESTAMP
updated < CURRENT_TIMESTAMP
updated < now()
updated < LOCALTIMESTAMP
updated > created
updated > created + interval '1 day'
updated < created + '2 days'::interval
took > '1 hour'
took > interval '90 minutes'
took < interval '1' day
took < '1 year 2 mons 3 days 04:05:06'
took > interval '1 week'
wakes > '06:00'
wakes > time '07:00:00'
extract(year from born) > 1900
date_part('year', born) > 1901
EXTRACT(epoch FROM updated) > 0
date_trunc('day', updated) = updated
updated AT TIME ZONE 'UTC' > created
timezone('CET', updated) > created
(born, age) = ('2020-01-01', 3)
(age, small) <> (1, 2)
(age, small) < (1, 2)
ROW(age, small) >= ROW(1, 3)
(age, name) IN ((1, 'a'), (2, 'b'))
(age, name) IS NOT NULL
status = 'new'
status = 'open'::status
status IN ('new', 'closed')
status <> 'closed'
status = ANY ('{new,"on hold"}')
status > 'new' AND previous IS NULL
previous IS DISTINCT FROM status
status::text = 'new'
status::text IN ('new', 'open')
'a' = ANY (tags)
tags @> ARRAY['x']
tags @> '{x,y}'
tags && ARRAY['x', 'z']::text[]
tags <> '{}'
tags = ARRAY[]::text[]
array_length(tags, 1) > 0
cardinality(numbers) < 5
tags[1] = 'x'
tags[1:2] = '{a,b}'
numbers[array_length(numbers, 1)] > 0
codes @> ARRAY['x']::varchar[]
codes @> ARRAY['x'::varchar(10)]
3 = ANY (numbers)
array_position(tags, 'x') IS NULL
'new' = ANY (statuses)
array_to_string(tags, ',') <> ''
data ? 'a'
data ?| ARRAY['a', 'b']
data ->> 'a' = 'b'
data -> 'a' = '1'
data #>> '{a,b}' = 'c'
(data ->> 'n')::integer > 0
(data ->> 'n')::numeric(5,1) > 0
data['a'] = '"b"'
data @> '{"a": 1}'
data <> '{}'::jsonb
jsonb_typeof(data) = 'object'
jsonb_typeof(data -> 'x'::text) = 'array'::text
old_data ->> 'a' = 'x'
jsonb_extract_path_text(data, 'a', 'b') = 'c'
token <> '00000000-0000-0000-0000-000000000000'
token = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid
octet_length(raw) < 100
raw <> '\x00'
flags = B'10101010'
flags & b'00000001' = '00000001'
more_flags = X'F'
address << '10.0.0.0/8'
address << inet '10.0.0.0/9'
net = '10.0.0.0/8'
family(address) = 4
(home).zip = 'x'
(home).lat > 0
(home).street IS NOT NULL
home IS NULL
lower(period) < upper(period)
period && tstzrange(now(), NULL)
days <> 'empty'
days @> '2020-01-01'::date
ages @> 5
ages && int4range(1, 10)
ages && '[1,10)'
NOT isempty(ages)
vector @@ to_tsquery('a')
vector @@ to_tsquery('english', 'b')
price > '1'
price > 1::money
paid > 0
paid >= 1.5
coalesce(age, 0) > 0
coalesce(nick, '') <> ''
coalesce(nick, name) <> ''
coalesce(nick, handle, 'x') <> ''
coalesce(age, small, 0) > 0
coalesce(score, 0) > 0
nullif(name, '') IS NOT NULL
nullif(age, 0) > 1
greatest(age, small) > 0
least(age, 5, id) > 0
CASE WHEN active THEN age > 0 ELSE age IS NULL END
CASE WHEN active THEN age > 0 END
CASE status WHEN 'new' THEN age IS NULL WHEN 'open' THEN true ELSE false END
CASE age WHEN 1 THEN 'a' ELSE 'b' END = name
CASE WHEN age > 1 THEN nick ELSE 'x' END <> ''
(CASE WHEN active THEN 1 ELSE 0 END + CASE WHEN verified THEN 1 ELSE 0 END) = 1
num_nonnulls(nick, age) = 1
num_nulls(nick, name, age) < 2
slug(name) = name
public.slug(nick) <> ''
twice(age) > 1
twice(small) > 1
twice(name) <> ''
twice('x') <> name
plus(age) > 0
plus(age, 2) > 0
plus(a => age, b => 3) > 0
plus(b => 4, a => age) > 0
total_of(1, 2, age) > 0
total_of(VARIADIC ARRAY[1, 3, age]) > 0
total_of(VARIADIC numbers) > 0
same(age) > 0
name COLLATE "C" > 'a'
name > 'a' COLLATE "C"
lower(name COLLATE "C") = 'x'
name < 'b' COLLATE pg_catalog."C"
"Mixed Case" > 0
"order" > 0
users.age > 99
public.users.age > 98
age OPERATOR(pg_catalog.>) 97
abs(age) > 3
pg_catalog.abs(small) > 3
round(score, 1) > 0
round(ratio) > 0
floor(any_number / 2) > 0
age / 2.0 > 1
score * 100 = floor(score * 100)
age::text = '1'
CAST(age AS text) = '2'
age::character varying(3) = '3'
nick::character varying(5) = 'x'
name::char(3) = 'x'
name::"char" = 'x'
score::integer > 3
'5'::integer < age
'5'::bigint < age
'007'::integer < age
float8(age) > 1
text(age) = 'q'
date(created) > '2000-01-01'
created::date > '2000-01-01'
updated::date > '2000-01-02'
updated::timestamp > created
CAST(updated AS timestamp(0)) > created
current_user = name
session_user <> name
CURRENT_ROLE <> name
md5(name) ~ '^[0-9a-f]+$'
regexp_replace(name, 'a', 'b', 'g') <> ''
name ~ ANY (ARRAY['a', 'b'])
split_part(mail, '@', 2) <> ''
to_char(created, 'YYYY') > '2000'
make_interval(days => 3) < took
age(born) > '18 years'
int4range(1, age) @> 3
ARRAY[age, small] <> ARRAY[1, 2]
ARRAY[1, 2.5] @> ARRAY[any_number]
array_remove(tags, 'x') = tags
num_nonnulls(VARIADIC ARRAY[age, small]) = 1
format('%s-%s', name, age) <> ''
(age IS NULL) = (small IS NULL)
(age IS NULL)::integer + (small IS NULL)::int = 1
(age > 0) IS TRUE
age IS NULL OR age > 0 AND small > 0
tableoid = 'users'::regclass
name = 'a' AND name = 'b'
name = 'a' OR name = 'b'
age - small - 1 > 0
age - (small - 1) > 0
NOT active OR verified
NOT (active OR verified)
name = 'x''::text'
name = 'null'
age = NULL
NULL = age
tags = '{NULL}'
tags = '{"NULL"}'
tags = '{ a , "b c" }'
tags = '{{a,b},{c,d}}'
tags = ARRAY[['a', 'b'], ['c', 'e']]
numbers = ARRAY[[1, 2], [3, 4]]
age BETWEEN 1.5 AND id
id = 1.0
small = 40000
'2020-01-01' < born
'x' || 'y' = name
'x' || name = 'xy'
1 = ANY (numbers)
age = ANY (ARRAY[small, 2])
nick || nick = 'x'
letter || 'a' = 'x'
letter || name = 'x'
length(letter) = 2
lower(letter) = 'x'
letter IN ('a', nick)
coalesce(letter, 'x') = 'x'
nick LIKE letter
name LIKE ANY (ARRAY['a%', 'b%'])
name NOT LIKE ALL (ARRAY['a%', 'c%'])
name = ANY (codes)
mail LIKE 'x%'
mail || name = 'x'
coalesce(mail, 'x') = 'x'
coalesce(mail, name) = 'x'
mail IN ('a', name)
mail IN ('a', 'b')
ref || 'x' = 'y'
upper(ref) = ref
length(ref) = 3
paid + 1 > score
paid::integer > 1
paid IN (1, 2)
status IN ('new', previous)
coalesce(previous, 'new') = 'open'
CASE WHEN active THEN 'new' ELSE status END = 'new'
(CASE WHEN active THEN 'new' ELSE 'open' END)::status = status
greatest(born, '2020-01-01') > '2019-01-01'
created >= date_trunc('month', CURRENT_DATE)
created > CURRENT_DATE - 30
created > CURRENT_DATE - interval '1 month'
born + age > CURRENT_DATE
born - born > 3
updated - interval '1 day' * age > now()
extract(dow from created) IN (0, 6)
extract('dow' from created) IN (1, 6)
date_part('hour', wakes) < 12
to_tsvector('english', name || ' ' || coalesce(nick, '')) @@ to_tsquery('x')
name SIMILAR TO 'x' ESCAPE '#'
num_nonnulls(nick) = 1
jsonb_path_exists(data, '$.a')
data @? '$.b'
data @@ '$.b > 1'
data #- '{a}' = data
data - 'a' = data
data - ARRAY['a', 'b'] = data
data || '{"a": 2}' = data
data['a']['b'] = '1'
data[0] IS NULL
tags[age] = 'x'
tags[:2] = '{a}'
tags[2:] = '{b}'
(data ->> 'a')::date > '2020-01-01'
data ->> 0 = 'x'
data -> 0 ->> 'b' = 'x'
(born, born + 1) OVERLAPS (born, born + 2)
power(age, 2) > 4
age ^ 2 > 5
|/ ratio > 2
@ age > 1
~ age = 3
age & 1 = 0
age << 2 > 1
age # 3 > 0
mod(age, 2) = 0
age / 2 = 1
-age > -5
- (age) > 1
+age > 0
-(-5) < age
- 5.5 < ratio
id = '5'
small = '5'
ratio = '5'
ratio = '5.0'
ratio = 1.0
weight = '0.1'
any_number = '5'
any_number = '5.50'
id = 5::smallint
id = 6::int
id = 7::bigint
score = 5::numeric(10,2)
score = 5::numeric(3)
created = '2020-01-01'::date
created = '2020-01-01'::timestamp
updated = '2020-01-01'::date
took = '1'
took = '-1 day'
took = '1 day -02:00:00'
took = '13 months'
took = '25 hours'
took = '1 day 25 hours'
took = '1 hour 30 minutes'
took = '-1 hour'
took = '0'
took = '1.5 seconds'
took = interval '1 day' * 2
took = make_interval(0, 0, 0, 1)
took > interval '10' hour
took > interval '1-2' year to month
took > interval '3 days' day to second
took > interval(3) '1 second'
net >>= address
data = '{"b":1, "a":[1,2.50,null,true],"cc":{"x":"y\n"}}'
data = '[]'
data = '"s"'
old_data::text = '{"a":1}'
raw = 'abc'
raw = '\xABCD'
'1'::text::integer = age
'12'::text = age::text
true::int = age
name::text::varchar(5) = 'x'
name = $$it's$$
E'\\d+' = name
name = U&'\0041'
name = 'Ä€'
name <> ALL (tags)
age::numeric(5,2) > 1
age::numeric::integer > 1
score::text::numeric > 1
name || (age + 1) || 'x' = 'y'
age || 'x' = '1x'
concat_ws(',', name, nick) <> ''
COALESCE(NULLIF(trim(nick), ''), name) <> ''
CASE WHEN age IS NULL THEN CASE WHEN small IS NULL THEN true ELSE false END ELSE small > 1 END
CASE WHEN age > 1 THEN 1 WHEN age > 2 THEN 2.5 ELSE small END > 0
CASE age WHEN small THEN true WHEN id THEN false END
CASE name WHEN nick THEN true ELSE handle = 'x' END
CASE letter WHEN 'a' THEN true END
(active AND verified) IS NOT UNKNOWN
active AND (verified OR NOT active) AND NOT (verified AND active)
age IN (1, 2) OR small IN (3)
age IN (1, NULL)
age NOT IN (small, 1)
name IN ('a', lower('B'))
name IN ('a', nick)
nick IN ('a', lower('B'))
handle IN ('a', name, 'c')
small IN (1, 70000)
id IN (1, 5000000000)
any_number IN (1, 2.5)
ratio IN (1, 2)
ratio IN (0.5, 2)
born IN ('2020-01-01', '2020-01-02')
created IN ('2020-01-01', '2020-01-02')
token IN ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12')
active IN (true, false)
letter IN ('a', 'b', 'c')
status = ANY (statuses)
status = ANY (ARRAY[previous, 'new'])
status::text LIKE 'n%'
status < previous
coalesce(status::text, 'x') = 'y'
enum_range(status) @> ARRAY['new'::status]
array_length(string_to_array(name, ','), 1) > 1
(string_to_array(name, ','))[1] = 'x'
regexp_match(name, 'a') IS NOT NULL
(regexp_match(name, 'a'))[1] = 'b'
ROW(age, name) = ROW(1, 'x')
ROW(age, name) IS DISTINCT FROM ROW(1, 'y')
home = ROW('a', 'b', 1)::place
home IS NOT NULL
(home).lat + 1 > 0
lower(ages) > 0
lower(days) > '2020-01-01'
period @> now()
period @> '2020-01-01 00:00:00+00'::timestamptz
days && daterange('2020-01-01', '2020-02-01', '[]')
numrange(1, 2) @> any_number
ages * int4range(1, 3) <> 'empty'
price * 2 > '1'::money
price::numeric > 1
md5(raw) = 'x'
encode(raw, 'hex') = 'x'
get_bit(flags, 1) = 1
host(address) = 'x'
address::text LIKE '10.%'
inet_merge(address, net) IS NOT NULL
starts_with(name, 'a')
name ^@ 'b'
name COLLATE "de-x-icu" < 'a' COLLATE "de-x-icu"
lower(name COLLATE "C") COLLATE "C" < 'x'
current_setting('app.user', true) = name
pg_typeof(age) = 'integer'::regtype
'users'::regclass::oid = 1
tableoid::regclass::text = 'users'
tableoid = 'billing.invoices'::regclass
tableoid::bigint = 5
txid_current() > 1
random() < 2
quote_literal(age) = '''1'''
to_number(name, '99') > 1
trunc(score) = score
trunc(score, 1) = score
sign(age) = 1
ceil(ratio) > 1
exp(any_number) > 1
width_bucket(age, 1, 10, 3) = 1
date_trunc('day', born) = created
date_trunc('day', updated, 'UTC') = updated
age(updated, created) > '1 day'
justify_days(took) > '1 day'
created::time > '06:00'
(updated AT TIME ZONE 'UTC')::date > '2020-01-01'
to_timestamp(age) < updated
extract(epoch FROM (updated - created::timestamptz)) > 0
isfinite(created)
name === 'x'
name OPERATOR(public.===) 'y'
nick === handle
(name::place).street = 'x'
name < 'a' COLLATE billing.german
pg_typeof(name) = 'text'::regtype
pg_typeof(nick) = 'text'::regtype
pg_typeof(nick::text) = 'text'::regtype
pg_typeof(name::varchar) = 'text'::regtype
kind_of(name) = 'x'
kind_of(name::varchar) = 'x'
kind_of('x'::text) = 'x'
kind_of('x'::varchar) = 'x'
0.1::real::double precision > ratio
0.1::double precision > ratio
123456789::real::integer > age
123456789::integer > age
billing.rate('card') > any_number
billing.rate('cash'::billing.kind) > any_number
