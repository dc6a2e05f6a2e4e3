"""Draws the throughput of Footbridge and its peers, as a picture for the manual.

`python3 Benchmarks/plot.py` draws docs/benchmarks.svg again from docs/benchmarks.json, without a measurement.
"""

import json
import math
import pathlib
from xml.sax.saxutils import escape

import report
from result import Result

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 1360, 484, 516, 92, 24, 14
# The places of the figures beside the bars: the ratio, the throughput, the goal.
RATIO, THROUGHPUT, GOAL = (WIDTH - RIGHT + at for at in (32, 214, 364))
HEADS = (RATIO, "ratio and peer"), (THROUGHPUT, "Footbridge"), (GOAL, "goal for the ratio")
NOTE = 17  # The height of a line of the notes.

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { fill: #57606a }
  .missed-text { fill: #b42318; font-weight: 600 }
  .background { fill: #ffffff }
  .grid { stroke: #d0d7de }
  .same { stroke: #57606a }
  .faster { fill: #1a7f5a }
  .slower { fill: #8c959f }
  .missed { fill: #d9695a }
  .goal { stroke: #24292f; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9da7b3 }
    .missed-text { fill: #ff9285 }
    .background { fill: #0d1117 }
    .grid { stroke: #30363d }
    .same { stroke: #9da7b3 }
    .faster { fill: #2ea879 }
    .slower { fill: #6e7681 }
    .missed { fill: #c9513f }
    .goal { stroke: #e6edf3 }
  }
"""

NOTES = [
    "Each bar is a ratio: what Footbridge does in a second, divided by what its peer does. Right of 1× Footbridge is faster.",
    "The scale is logarithmic: each line is twice the one before. The upright mark is the goal for that ratio.",
    "C echo: a bare echo server in C on the same libwebsockets. It sends back what it receives, while Footbridge also checks",
    "each message, lets the host answer it, and writes both to the journal.",
]


def svg(results, date, machine):
    """Draws throughputs as bars, on a logarithmic scale that contains every bar and every goal."""
    rows = [result for result in results if result.ratio is not None and result.unit in ("/s", "MB/s")]
    powers = _powers(rows)
    bottom = TOP + ROW * len(rows)
    height = bottom + 22 + NOTE * len(NOTES)

    def x(ratio):
        share = (math.log2(ratio) - powers[0]) / (powers[-1] - powers[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title">',
        f"<style>{STYLE}</style>",
        f'<rect class="background" width="{WIDTH}" height="{height}"/>',
        '<text id="title" class="title" x="16" y="26">Throughput of Footbridge, relative to its peer</text>',
        f'<text class="quiet" x="16" y="46">{escape(f"Measured {date} on {_described(machine)}")}</text>',
        _legend(),
        *(f'<text class="quiet" x="{at}" y="{TOP - 12}">{head}</text>' for at, head in HEADS),
    ]
    for power in powers:
        kind = "same" if power == 0 else "grid"
        at = f"{x(2**power):.1f}"
        parts += [
            f'<line class="{kind}" x1="{at}" y1="{TOP - 6}" x2="{at}" y2="{bottom}"/>',
            f'<text class="quiet" x="{at}" y="{TOP - 12}" text-anchor="middle">{_factor(power)}</text>',
        ]
    for index, result in enumerate(rows):
        parts += _row(result, TOP + ROW * index, x)
    for index, note in enumerate(NOTES):
        parts.append(f'<text class="quiet" x="16" y="{bottom + 26 + NOTE * index}">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _row(result, y, x):
    """Draws a label, a bar from 1× to the ratio, the goal, and the figures."""
    start, end = sorted((x(1), x(result.ratio)))
    kind = "missed" if result.is_met is False else "faster" if result.ratio >= 1 else "slower"
    parts = [
        f'<text x="{LEFT - 12}" y="{y + 12}" text-anchor="end">{escape(f"{result.group}: {result.name}")}</text>',
        f'<rect class="{kind}" x="{start:.1f}" y="{y + 1}" width="{max(end - start, 1):.1f}" height="{BAR}"/>',
    ]
    if result.at_least is not None:
        goal = f"{x(result.at_least):.1f}"
        parts.append(f'<line class="goal" x1="{goal}" y1="{y - 2}" x2="{goal}" y2="{y + BAR + 4}"/>')
        style = "quiet" if result.is_met else "missed-text"
        parts.append(f'<text class="{style}" x="{GOAL}" y="{y + 12}">{escape(result.goal)}, {result.verdict.lower()}</text>')
    # The peer's name without its task.
    peer = result.peer.split(",")[0]
    return [
        *parts,
        f'<text x="{RATIO}" y="{y + 12}">{result.ratio:.2f} × {escape(peer)}</text>',
        f'<text x="{THROUGHPUT}" y="{y + 12}">{report.number(result.value)} {_unit(result)}</text>',
    ]


def _legend():
    """Explains the colours."""
    parts = []
    at = WIDTH - 290
    for kind, text, width in (("faster", "faster", 70), ("slower", "slower", 74), ("missed", "goal missed", 0)):
        parts.append(f'<rect class="{kind}" width="12" height="12" transform="translate({at} 16)"/><text x="{at + 18}" y="26">{text}</text>')
        at += 18 + width
    return "".join(parts)


def _powers(rows):
    """Returns the powers of two that enclose every ratio and every goal."""
    values = [1, *(result.ratio for result in rows), *(result.at_least for result in rows if result.at_least)]
    lowest, highest = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
    return range(min(lowest, -1), max(highest, 1) + 1)


def _factor(power):
    return f"{2**power}×" if power >= 0 else f"1/{2**-power}×"


def _unit(result):
    things = {"messages": "messages", "purchases": "purchases", "proxy": "requests"}
    return things.get(result.group, "") + "/s" if result.unit == "/s" else result.unit


def _described(machine):
    """Describes the processor, its cores, and the system if it is known."""
    parts = [machine["processor"], f"{machine['cores']} cores", machine.get("system")]
    return ", ".join(part for part in parts if part)


def main():
    """Draws the picture of the stored results."""
    docs = pathlib.Path(__file__).resolve().parents[1] / "docs"
    record = json.loads((docs / "benchmarks.json").read_text())
    results = [Result.from_dictionary(result) for result in record["results"]]
    (docs / "benchmarks.svg").write_text(svg(results, record["date"], record["machine"]))


if __name__ == "__main__":
    main()
