"""What Footbridge gets done in a second beside its peers, as a picture for the README."""

import math
from xml.sax.saxutils import escape

import report

ROW, LEFT, RIGHT, WIDTH, TOP = 22, 360, 180, 880, 34
FARTHEST = 16  # Factors beyond this are cut.


def svg(results):
    """Bars from the line where both are as fast: to the right where Footbridge is faster, to the left where its peer is; logarithmic."""
    rows = [result for result in results if result.ratio is not None and result.unit in ("/s", "MB/s")]
    height = TOP + ROW * len(rows) + 10
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    scale = (WIDTH - RIGHT - middle) / math.log2(FARTHEST)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{middle}" y="20" text-anchor="middle" fill="#333">as fast as its peer</text>',
        f'<line x1="{middle}" y1="{TOP - 8}" x2="{middle}" y2="{height - 6}" stroke="#999"/>',
    ]
    for index, result in enumerate(rows):
        y = TOP + ROW * index
        length = scale * math.log2(min(max(result.ratio, 1 / FARTHEST), FARTHEST))
        color = "#2a7f62" if result.ratio >= 1 else "#7a7f8a"
        name = f"{result.group}: {result.name}"
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end" fill="#333">{escape(name)}</text>',
            f'<rect x="{middle + min(length, 0):.1f}" y="{y}" width="{max(abs(length), 1):.1f}" height="{ROW - 6}" fill="{color}"/>',
            f'<text x="{WIDTH - RIGHT + 8}" y="{y + 12}" fill="#333">{report.number(result.ratio)} × {escape(_peer(result))}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _peer(result):
    """A peer's name without what it was made to do."""
    return result.peer.split(",")[0]
