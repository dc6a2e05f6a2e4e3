"""The path of Chromium, and the options that it needs here."""

import os
import shutil

PROGRAM = os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium")
# Its sandbox does not start for root.
OPTIONS = ["--no-sandbox"] if os.geteuid() == 0 else []
