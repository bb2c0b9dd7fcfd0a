"""The schema of a database, in a form in which two databases can be compared: without the order of columns."""

import re

POSTGRES = {
    "column": """
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
               pg_get_expr(d.adbin, d.adrelid), co.collname
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm')
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        LEFT JOIN pg_collation co ON co.oid = a.attcollation
        WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped""",
    "index": "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()",
    "constraint": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable, condeferred, convalidated
        FROM pg_constraint WHERE connamespace = current_schema()::regnamespace""",
    "sequence": """
        SELECT sequencename, data_type::text, start_value, min_value, max_value, increment_by
        FROM pg_sequences WHERE schemaname = current_schema()""",
    "extension": "SELECT extname FROM pg_extension",
    "trigger": "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal",
}
SQLITE = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"


def read_schema(connection):
    """Return a set of texts, one for each column, index, constraint, sequence and extension of a database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(SQLITE)
            return {
                f"{kind} {name} on {table}: {part}"
                for kind, name, table, sql in cursor.fetchall()
                for part in split_definition(sql)
            }
        found = set()
        for kind, query in POSTGRES.items():
            cursor.execute(query)
            found |= {f"{kind} {row}" for row in cursor.fetchall()}
        return found


def split_definition(sql):
    """Return the parts of a CREATE statement that commas separate outside brackets, without their order."""
    if not sql.startswith("CREATE TABLE"):
        return {sql}
    inner = sql[sql.index("(") + 1 : sql.rindex(")")]
    parts, depth = [""], 0
    for piece in re.split(r"([(),])", inner):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return {part.strip() for part in parts}
