"""The table of results, for people."""


def number(value):
    """Formats a number with three significant digits, or with all digits of a whole number."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _spread(result):
    """Formats how far the rounds lie apart: their ratios, or without a peer their values."""
    if result.spread is None:
        return ""
    return " to ".join(map(number, result.spread) if result.ratio is None else (f"{ratio:.2f}" for ratio in result.spread))


def lines(results):
    """Formats the results as the lines of a table."""
    rows = [("", "Footbridge", "", "compared with", "ratio", "of the rounds", "goal", "")]
    for result in results:
        rows.append(
            (
                f"{result.group}: {result.name}",
                number(result.value),
                result.unit,
                f"{result.peer} {number(result.peer_value)}" if result.peer else "",
                f"{result.ratio:.2f}" if result.ratio is not None else "",
                _spread(result),
                result.goal or "",
                result.verdict,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
