"""The results with a goal as a picture: how far each is on the good side of its goal."""

import math
from xml.sax.saxutils import escape

ROW, LEFT, WIDTH, TOP = 22, 400, 780, 34
FARTHEST = 4  # Factors beyond this are cut.


def svg(results):
    """Bars from the goal's line: to the right where the goal is surpassed, to the left where it is missed; logarithmic."""
    rows = [result for result in results if result.goal]
    height = TOP + ROW * len(rows) + 10
    middle = LEFT + (WIDTH - LEFT - 60) / 2
    scale = (WIDTH - 60 - middle) / math.log2(FARTHEST)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{middle}" y="20" text-anchor="middle" fill="#333">the goal</text>',
        f'<line x1="{middle}" y1="{TOP - 8}" x2="{middle}" y2="{height - 6}" stroke="#999"/>',
    ]
    for index, result in enumerate(rows):
        y = TOP + ROW * index
        length = scale * math.log2(min(max(_surplus(result), 1 / FARTHEST), FARTHEST))
        value = result.ratio if result.ratio is not None else result.value
        color = "#2a7f62" if result.is_met else "#b5452c"
        start = middle + min(length, 0)
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end" fill="#333">{escape(f"{result.group}: {result.name}")}</text>',
            f'<rect x="{start:.1f}" y="{y}" width="{max(abs(length), 1):.1f}" height="{ROW - 6}" fill="{color}"/>',
            f'<text x="{WIDTH - 52}" y="{y + 12}" fill="{color}">{value:.3g} ({escape(result.goal)})</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _surplus(result):
    """How many times as good as its goal a result is."""
    measured = max(result.value if result.ratio is None else result.ratio, 1e-9)
    return measured / result.at_least if result.at_least is not None else result.at_most / measured
