"""The sections about sessions in the report of a failed test."""

from __future__ import annotations

import pathlib
import re
import shlex
from typing import Any, Sequence

from .session import CoreSession

#: How many lines of a session's journal the report has, and how many of the handlers' log.
LINES = 100
LOG_LINES = 20


def add(report: Any, item: Any, sessions: Sequence[CoreSession]) -> None:
    """Adds the sessions of a failed test to its report, and writes their transcripts to files."""
    for number, session in enumerate(sessions):
        session.failed = True
        title = f"Footbridge session {session.id}"
        try:
            path = _write(item, session, number)
            lines = session.report().splitlines()
            # When the person reads it, a server of this run is gone.
            link = None if session.server.ends_with_run else session.dashboard_link()
        except Exception as error:
            report.sections.append((title, f"The transcript is missing: {error}\n{session.server.log()}"))
            continue
        left_out = [f"… {len(lines) - LINES} earlier lines"] if len(lines) > LINES else []
        links = [f"Dashboard: {link}"] if link else []
        files = [f"Transcript (JSON Lines): {path}", f"To look at it later: footbridge show {shlex.quote(str(path))}"]
        report.sections.append((title, "\n".join([*left_out, *lines[-LINES:], *links, *files])))
        report.user_properties.append(("footbridge_transcript", str(path)))
    # What a handler prints before it ends is in the log alone.
    for server in dict.fromkeys(session.server for session in sessions):
        if log := [line for line in server.log().splitlines() if " [DeclaredServer] " in line]:
            report.sections.append(("Footbridge: the end of the handlers' log", "\n".join(log[-LOG_LINES:])))


def _write(item: Any, session: CoreSession, number: int) -> pathlib.Path:
    root = pathlib.Path(item.config.rootpath)
    folder = root / item.config.getini("footbridge_transcripts")
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", item.nodeid).strip("-")[-150:]
    path = folder / (f"{name}-{number + 1}.jsonl" if number else f"{name}.jsonl")
    path.write_text(session.transcript(), encoding="utf-8")
    return path.relative_to(root) if path.is_relative_to(root) else path
