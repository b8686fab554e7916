package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

// expressions are read off the columns of the table below, and mean the same in the server's print.
var expressions = []string{
	"a % 4", "a mod 4", "mod(a, 4)", "not (a < 1)", "not a > b", "not a", "!a", "not (a = 1 and b = 2)", "not (a = 1 or not b = 2)", "not a is null", "not (a in (1,2))", "not not a", "not (a <=> b)",
	"not (a between 1 and 2)", "not (c like 'x')", "not (c regexp 'x')", "a between 1 and 2", "a not between 1 and b", "a in (1,2,3)", "a in (1)", "a not in (1)", "a not in (1,2)", "c in ('x','y')",
	"substring(c,1,2)", "substr(c,2)", "mid(c,2,3)", "substring(c from 2 for 3)", "substring(c from 2)", "left(c,2)", "cast(a as char)", "convert(c, signed)", "cast(c as unsigned integer)", "cast(a as decimal)", "cast(a as decimal(10))",
	"cast(a as decimal(10,2))", "cast(c as char(3))", "cast(c as binary)", "cast(c as binary(3))", "binary c", "convert(c using latin1)", "cast(c as date)", "date(d)", "cast(d as time)", "cast(c as datetime(3))", "cast(a as double)",
	"a <> 1 and b != 2 or a = 3", "a && b", "a and b", "a or b", "a xor b", "a = 1 xor b = 2", "a = 1 and (b = 2 and a = 3)", "(a = 1 and b = 2) and a = 3", "a = 1 or b = 2 and a = 3", "(a = 1 or b = 2) and a = 3", "a > 1 = b", "a < b < 1",
	"a = (b = 1)", "(a = b) is true", "a is not false", "a is true", "a is unknown", "a is not unknown", "a is null", "isnull(a)", "a <=> b", "a <=> null", "c like 'x%'", "c not like 'x%' escape '|'", "c like concat('a', 'b')", "c regexp '^x'",
	"c rlike 'x'", "c not regexp 'x'", "c sounds like 'x'", "if(a,b,1)", "if(a > b, a, b)", "ifnull(a,b)", "nullif(a,b)", "coalesce(a,b,1)", "case a when 1 then 2 else 3 end", "case when a = 1 then 2 end", "case when a then b when b then a else null end",
	"concat(c, 'x')", "concat(c, 'it''s', \"q\")", "concat_ws(',', c, c)", "'a' 'b'", "-a", "- 1", "-(-a)", "+a", "~a", "a ^ b", "a & b | a << 2", "a | b & a", "(a | b) & a", "a >> 1", "a div b", "a / b", "a * b + 1", "a * (b + 1)", "(a + b) + a", "a + (b + a)",
	"a - b - a", "a - (b - a)", "-a * b", "-(a * b)", "- a ^ b", "a * -b", "!a + b", "not a + b", "a + b * 2 - 1", "(a + 1) * (b - 1)", "d + interval 1 day", "d - interval a hour", "interval 1 day + d", "date_add(d, interval 1 day)", "date_sub(d, interval 1 month)",
	"adddate(d, 3)", "adddate(d, interval 3 day)", "subdate(d, 3)", "timestampadd(day,1,d)", "timestampadd(sql_tsi_hour,1,d)", "timestampdiff(day,d,d)", "extract(year from d)", "extract(year_month from d)", "year(d)", "month(d)", "day(d)", "dayofmonth(d)", "weekday(d)",
	"hour(d)", "date_format(d,'%Y')", "datediff(d, '2020-01-01')", "to_days(d)", "unix_timestamp(d)", "last_day(d)", "str_to_date(c, '%Y')", "date '2020-01-01'", "time '10:00:00'", "timestamp '2020-01-01 10:00:00'",
	"trim(c)", "trim(both 'x' from c)", "trim(leading 'x' from c)", "trim('x' from c)", "ltrim(c)", "rtrim(c)", "lcase(c)", "lower(c)", "ucase(c)", "upper(c)", "char_length(c)", "character_length(c)", "length(c)", "octet_length(c)", "bit_length(c)", "locate('x',c)",
	"position('x' in c)", "instr(c, 'x')", "replace(c,'a','b')", "insert(c,1,2,'x')", "reverse(c)", "repeat(c, 2)", "lpad(c,3,'x')", "hex(c)", "unhex(c)", "md5(c)", "sha1(c)", "sha(c)", "sha2(c, 256)", "crc32(c)", "char(65)", "char(65, 66 using latin1)", "ascii(c)", "ord(c)",
	"field(c,'a','b')", "elt(a,'x','y')", "find_in_set('a', c)", "pow(a,2)", "power(a,2)", "ceil(a)", "ceiling(a)", "floor(a)", "round(a, 1)", "abs(a)", "sign(a)", "sqrt(a)", "greatest(a,b)", "least(a,b)", "ln(a)", "log(a)", "log(2,a)", "exp(a)", "truncate(a,1)",
	"c collate utf8mb4_bin", "c collate utf8mb4_bin = 'x'", "true", "false", "1.50", "1e3", "0x41", "x'41'", "b'01'", "b'101010101'", "null", "_latin1'x'", "_utf8mb4'x'", "_binary'x'", "n'x'", "(a,b) = (1,2)", "(a, b) in ((1,2),(3,4))",
	"json_unquote(json_extract(j, '$.a'))", "json_extract(j, '$.a')", "json_value(j, '$.a')", "json_valid(j)", "json_length(j) > 1", "json_contains(j, '1')", "inet_aton(c)", "inet6_ntoa(c)", "uncompress(c)", "format(a, 2)", "t.a + 1", "`a`+`b`", "a=1", "A > B", "a>=1 and a<=10",
	"conv(a, 10, 2)", "a in (b, 1)", "s = 'a'", "find_in_set('a', s) > 0", "c > 'a' and c < 'b'", "length(trim(c)) > 0", "c <> ''", "a is not null and b is null or a is null and b is not null", "(a is null) = (b is null)", "(a is not null) + (b is not null) = 1", "a > 0 and not (b > 0 and a > 5)", "a * 1.0 / b",
	"st_x(p) > 1", "st_srid(p)", "quarter(d)", "maketime(a,b,1)", "sec_to_time(a)", "from_days(a)", "makedate(a, b)", "time_to_sec(d)", "addtime(d, '1:00')", "dayname(d)", "microsecond(d)", "period_add(a, 1)", "bin(a)", "oct(a)", "soundex(c)", "space(a)", "quote(c)", "substring_index(c, ',', 1)",
	"regexp_replace(c, 'a', 'b')", "regexp_substr(c, 'a')", "to_base64(c)", "case when not a then 1 when not (a = b) then 2 end", "if(not a, 1, 2)", "coalesce(a, 0) + coalesce(b, 0) > 0", "a not in (1, 2) and c not like 'x'", "not (a is true)", "not (a xor b)",
}

// TestExpressionsOnServer has the server print every expression, and wants its print to read as the expression does, and two that it prints
// in two ways to stay two.
func TestExpressionsOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	const table = "CREATE TABLE t (a int, b int, c varchar(20), d datetime, j longtext, s set('a','b'), p point"
	text := table
	for i, e := range expressions {
		text += fmt.Sprintf(", x%d text AS (%s)", i, e)
	}
	same(t, sv, db, text+")")
	c, printed := read(t, sv, text+")"), map[string]string{}
	for _, line := range strings.Split(dump(t, db), "\n") {
		name, said, ok := strings.Cut(strings.TrimSpace(line), " text GENERATED ALWAYS AS ")
		if !ok {
			continue
		}
		said = strings.NewReplacer("_latin1'", "'", "_utf8mb4'", "'").Replace(strings.TrimSuffix(said, ",")) // of ASCII, which is the same in all of them
		canon := c.Tables["t"].Column(strings.Trim(name, "`")).Generated.Expr.Canon
		if before, ok := printed[canon]; ok && before != said {
			t.Errorf("the server prints %s and %s, and both read as %s", before, said, canon)
		}
		printed[canon] = said
	}
	if len(printed) < len(expressions)/2 {
		t.Errorf("%d expressions of %d came back", len(printed), len(expressions))
	}
	clean(t, db)
	checks := table
	for _, e := range expressions {
		if strings.ContainsAny(e, "<>=") || strings.Contains(e, "not ") || strings.Contains(e, " in ") {
			checks += fmt.Sprintf(", CHECK (%s)", e)
		}
	}
	same(t, sv, db, checks+")")
}
