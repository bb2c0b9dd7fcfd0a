"""A check of every query that the tests run: OR over several to-many joins multiplies their rows."""

from django.db.models.expressions import Col
from django.db.models.sql.compiler import SQLCompiler
from django.db.models.sql.datastructures import Join
from django.db.models.sql.where import OR, WhereNode

EXPLANATION = (
    "This query combines the to-many joins {joins} with OR, so the database reads every combination of their rows."
    " Use one subquery per relation, as in ratings/queries/lists/lists_of_players.py."
)


class MultipliedRowsError(AssertionError):
    """A query combines several to-many joins with OR."""


def check_query(query):
    """Raise MultipliedRowsError if a query combines conditions on independent to-many joins with OR."""
    for node in _or_nodes(query.where):
        branches = {_to_many_path(query, alias) for alias in _aliases(node)} - {()}
        # joins that go on from one another are one path, whose rows are not multiplied
        longest = {path for path in branches if not any(path == other[: len(path)] != other for other in branches)}
        if len(longest) > 1:
            raise MultipliedRowsError(EXPLANATION.format(joins=" and ".join(sorted(".".join(p) for p in longest))))


def check_all_queries(monkeypatch):
    """Check every query while a test runs."""
    compile_query = SQLCompiler.as_sql

    def checked(self, *args, **kwargs):
        compiled = compile_query(self, *args, **kwargs)
        check_query(self.query)
        return compiled

    monkeypatch.setattr(SQLCompiler, "as_sql", checked)


def _or_nodes(node):
    if not isinstance(node, WhereNode):
        return
    if node.connector == OR and len(node.children) > 1:
        yield node
    for child in node.children:
        yield from _or_nodes(child)


def _aliases(expression):
    """Return the table aliases of an expression's own columns; subqueries have aliases of their own."""
    if isinstance(expression, Col):
        return {expression.alias}
    if isinstance(expression, WhereNode):
        children = expression.children
    elif hasattr(expression, "get_source_expressions"):
        children = [child for child in expression.get_source_expressions() if child is not None]
    else:
        return set()
    return {alias for child in children for alias in _aliases(child)}


def _to_many_path(query, alias):
    """Return the aliases of the to-many joins that lead to an alias, first join first."""
    path = []
    while isinstance(join := query.alias_map.get(alias), Join):
        if _is_to_many(join.join_field):
            path.append(alias)
        alias = join.parent_alias
    return tuple(reversed(path))


def _is_to_many(field):
    return bool(field.many_to_many or field.one_to_many)
