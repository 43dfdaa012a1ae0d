#include "pgtypes/pgtypes.h"

#include "base/names.h"

#define OCTET "(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])"
#define OCTETS OCTET "\\." OCTET "\\." OCTET "\\."
#define WORD16 "[1-9a-f][0-9a-f]{0,3}"
#define PLUS "[1-9]\\d{0,3}(\\.[1-9])?"
#define NUMBER "(0|-?" PLUS ")"
#define POINT "\\(" NUMBER "," NUMBER "\\)"

#define TYPE(name_, title_, ...)                                                                   \
    {                                                                                              \
        .name = name_, .title = title_, .array_title = title_ "[]", __VA_ARGS__                    \
    }

const struct pgtype pgtypes[] = {
    TYPE("int2", "smallint", .oid = 21, .array = 1005, .kind = TYPE_INT, .form = FORM_INT2,
         .is_key = true, .strategy = "integers(-100, 100)"),
    TYPE("int4", "integer", .oid = 23, .array = 1007, .kind = TYPE_INT, .form = FORM_INT4,
         .is_key = true, .strategy = "integers(-100, 100)", .odd = "hashtext('odd')",
         .setting = "[1, 2, 3]", .setting_test = "type(v) == \"int\""),
    TYPE("int8", "bigint", .oid = 20, .array = 1016, .kind = TYPE_INT, .form = FORM_INT8,
         .is_key = true, .strategy = "integers(-100, 100)", .odd = "hashtext('odd')",
         .setting = "[1, 2, 3]", .setting_test = "type(v) == \"int\""),
    TYPE("oid", "oid", .oid = 26, .array = 1028, .kind = TYPE_INT, .form = FORM_OID),
    TYPE("numeric", "numeric", .oid = 1700, .array = 1231, .kind = TYPE_NUMERIC,
         .form = FORM_NUMERIC, .modifier = MODIFIER_NUMERIC, .is_key = true,
         .strategy = "decimals(-1000, 1000, places=2)", .odd = "hashtext('odd')",
         .setting = "[1, 2, 3]"),
    TYPE("money", "money", .form = FORM_MONEY),
    TYPE("float4", "real", .oid = 700, .array = 1021, .kind = TYPE_FLOAT, .form = FORM_FLOAT,
         .strategy = "floats(-1000, 1000, width=32)"),
    TYPE("float8", "double precision", .oid = 701, .array = 1022, .kind = TYPE_FLOAT,
         .form = FORM_FLOAT, .strategy = "floats(-1000, 1000)"),
    TYPE("text", "text", .oid = 25, .array = 1009, .kind = TYPE_TEXT, .form = FORM_TEXT,
         .is_key = true, .strategy = "text(max_size=20)", .odd = "left(md5('odd'), 8)"),
    TYPE("varchar", "character varying", .oid = 1043, .array = 1015, .kind = TYPE_TEXT,
         .form = FORM_TEXT, .modifier = MODIFIER_TEXT, .is_key = true,
         .strategy = "text(max_size=20)", .odd = "left(md5('odd'), 8)"),
    TYPE("bpchar", "bpchar", .oid = 1042, .array = 1014, .form = FORM_TEXT,
         .modifier = MODIFIER_TEXT, .is_key = true, .strategy = "text(max_size=20)"),
    TYPE("citext", "citext", .form = FORM_TEXT, .strategy = "text(max_size=20)",
         .odd = "left(md5('odd'), 8)"),
    TYPE("name", "name", .oid = 19, .array = 1003, .kind = TYPE_TEXT, .form = FORM_NAME),
    TYPE("char", "\"char\"", .oid = 18, .array = 1002, .form = FORM_PATTERN,
         .pattern = "[0-9A-Za-z !-/]", .as_text = true),
    TYPE("date", "date", .oid = 1082, .array = 1182, .form = FORM_DATE, .is_key = true,
         .strategy = "dates(\"2000-01-01\", \"2040-12-31\")", .odd = "'1907-03-21'"),
    TYPE("time", "time without time zone", .oid = 1083, .array = 1183, .form = FORM_TIME,
         .modifier = MODIFIER_TIME),
    TYPE("timetz", "time with time zone", .oid = 1266, .array = 1270, .form = FORM_TIME,
         .modifier = MODIFIER_TIME),
    TYPE("timestamp", "timestamp without time zone", .oid = 1114, .array = 1115,
         .form = FORM_TIMESTAMP, .modifier = MODIFIER_TIME,
         .strategy = "datetimes(\"2000-01-01\", \"2040-12-31\")", .odd = "'1907-03-21 04:05:06'"),
    TYPE("timestamptz", "timestamp with time zone", .oid = 1184, .array = 1185,
         .form = FORM_TIMESTAMP, .modifier = MODIFIER_TIME,
         .strategy = "datetimes(\"2000-01-01\", \"2040-12-31\")", .odd = "'1907-03-21 04:05:06'"),
    TYPE("interval", "interval", .oid = 1186, .array = 1187, .form = FORM_INTERVAL,
         .modifier = MODIFIER_TIME, .strategy = "timedeltas(\"00:00:00\", \"30 days\")"),
    TYPE("bool", "boolean", .oid = 16, .array = 1000, .kind = TYPE_BOOL, .form = FORM_BOOL,
         .strategy = "booleans()", .setting = "[True, False]"),
    TYPE("bytea", "bytea", .oid = 17, .array = 1001, .kind = TYPE_BYTES, .form = FORM_BYTES,
         .strategy = "binary(max_size=20)"),
    TYPE("bit", "\"bit\"", .form = FORM_BITS, .modifier = MODIFIER_BITS),
    TYPE("varbit", "bit varying", .form = FORM_BITS, .modifier = MODIFIER_BITS),
    TYPE("uuid", "uuid", .oid = 2950, .array = 2951, .form = FORM_UUID, .is_key = true,
         .strategy = "uuids()", .odd = "md5('odd')::uuid",
         .setting = "[\"00000000-0000-4000-8000-000000000001\", "
                    "\"00000000-0000-4000-8000-000000000002\"]",
         .setting_test = "type(v) == \"string\" and len(v) == 36"),
    TYPE("json", "json", .oid = 114, .array = 199, .kind = TYPE_JSON, .form = FORM_JSON,
         .strategy = "json_values()", .as_text = true),
    TYPE("jsonb", "jsonb", .oid = 3802, .array = 3807, .kind = TYPE_JSON, .form = FORM_JSON,
         .strategy = "json_values()", .odd = "to_jsonb(md5('odd'))"),
    TYPE("xml", "xml", .form = FORM_PATTERN, .pattern = "<a>[a-z ]{0,9}</a>|<b/>|[a-z]{1,9}",
         .as_text = true),
    TYPE("inet", "inet", .form = FORM_PATTERN,
         .pattern = OCTETS OCTET "(/(\\d|[12]\\d|3[01]))?|" WORD16 "(:" WORD16 "){7}"),
    TYPE("cidr", "cidr", .form = FORM_PATTERN, .pattern = OCTETS "(0/24|" OCTET "/32)"),
    TYPE("macaddr", "macaddr", .form = FORM_PATTERN, .pattern = "[0-9a-f]{2}(:[0-9a-f]{2}){5}"),
    TYPE("macaddr8", "macaddr8", .form = FORM_PATTERN, .pattern = "[0-9a-f]{2}(:[0-9a-f]{2}){7}"),
    TYPE("tsvector", "tsvector", .form = FORM_PATTERN, .pattern = "('[a-m]{1,5}'( '[n-z]{1,5}')?)?",
         .odd = "md5('odd')::tsvector"),
    TYPE("tsquery", "tsquery", .form = FORM_PATTERN,
         .pattern = "'[a-z]{1,5}'( [&|] '[a-z]{1,5}')?"),
    TYPE("pg_lsn", "pg_lsn", .form = FORM_PATTERN,
         .pattern = "[1-9A-F][0-9A-F]{0,7}/[1-9A-F][0-9A-F]{0,7}"),
    TYPE("point", "point", .form = FORM_PATTERN, .pattern = POINT, .as_text = true),
    TYPE("lseg", "lseg", .form = FORM_PATTERN, .pattern = "\\[" POINT "," POINT "\\]",
         .as_text = true),
    TYPE("box", "box", .form = FORM_PATTERN,
         .pattern = "\\(" PLUS "," PLUS "\\),\\(-" PLUS ",-" PLUS "\\)", .as_text = true),
    TYPE("line", "line", .form = FORM_PATTERN, .pattern = "\\{" PLUS "," NUMBER "," NUMBER "\\}",
         .as_text = true),
    TYPE("path", "path", .form = FORM_PATTERN,
         .pattern = "\\(" POINT "," POINT "\\)|\\[" POINT "," POINT "\\]", .as_text = true),
    TYPE("polygon", "polygon", .form = FORM_PATTERN,
         .pattern = "\\(" POINT "," POINT "," POINT "\\)", .as_text = true),
    TYPE("circle", "circle", .form = FORM_PATTERN, .pattern = "<" POINT "," PLUS ">",
         .as_text = true),
    TYPE("hstore", "hstore", .form = FORM_PATTERN,
         .pattern = "(\"[a-z]{1,3}\"=>(\"[a-z]{0,5}\"|NULL))?", .as_text = true),
    TYPE("ltree", "ltree", .form = FORM_PATTERN, .pattern = "[a-z]{1,5}(\\.[a-z]{1,5}){0,3}",
         .as_text = true),
    TYPE("int4range", "int4range", .form = FORM_NONE),
    TYPE("int8range", "int8range", .form = FORM_NONE),
    TYPE("numrange", "numrange", .form = FORM_NONE),
    TYPE("daterange", "daterange", .form = FORM_NONE),
    TYPE("tsrange", "tsrange", .form = FORM_NONE),
    TYPE("tstzrange", "tstzrange", .form = FORM_NONE),
    TYPE("unknown", "unknown", .oid = 705, .kind = TYPE_TEXT, .as_text = true),
    TYPE("cstring", "cstring", .oid = 2275, .array = 1263, .kind = TYPE_TEXT, .as_text = true),
    TYPE("record", "record", .oid = 2249, .array = 2287, .kind = TYPE_RECORD, .as_text = true),
    TYPE("void", "void", .oid = 2278, .kind = TYPE_VOID, .as_text = true),
};
const size_t pgtype_count = sizeof pgtypes / sizeof *pgtypes;

const struct pgtype *pgtype_named(const char *name)
{
    static const struct pgtype none;
    size_t index = name_index(name, ROWS_IN(pgtypes, name));
    return index < pgtype_count ? &pgtypes[index] : &none;
}
