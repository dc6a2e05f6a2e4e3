"""The table of results, for people."""


def number(value):
    """Formats a number with three significant digits, or with all digits of a whole number."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


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
                "{:.2f} to {:.2f}".format(*result.spread) if result.spread else "",
                result.goal or "",
                {True: "met", False: "MISSED", None: ""}[result.is_met],
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
