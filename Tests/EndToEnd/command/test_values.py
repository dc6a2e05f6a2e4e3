"""Values of footbridge.yaml are those of YAML 1.2's core schema, wherever the file has values."""

import pytest

from footbridge_process import StartFailure, run, serve

PAGE = """<!doctype html><title>App</title><script>
window.post = (message) => webkit.messageHandlers.acme.postMessage(message);
</script>"""

#: Values as people write them, and what they mean.
WRITTEN = """{ country: NO, agreed: yes, quoted: "yes", time: 12:30:45, number: 0123, octal: 0o17, underscore: 1_000,
  date: 2026-11-27, nothing: ~, plain: null, version: 1.10, text: "1.10" }"""
MEANT = {
    "country": "NO", "agreed": "yes", "quoted": "yes", "time": "12:30:45", "number": 123, "octal": 15, "underscore": "1_000",
    "date": "2026-11-27", "nothing": None, "plain": None, "version": 1.1, "text": "1.10",
}

CONFIG = f"""
scenario: usual
scenarios:
  usual:
    rules:
      - on: acme.ask
        where: {WRITTEN}
        times: always
        then: {{ result: ruled }}
      - {{ on: acme.result, times: always, then: {{ result: {WRITTEN} }} }}
bridges:
  acme:
    channels: {{ acme: {{ reply: true }} }}
    name: /type
    answers:
      answer: {{ reply: {WRITTEN} }}
      text: {{ reply: !json {WRITTEN} }}
      ask: {{ reply: not ruled }}
"""


def site(path, config):
    (path / "site").mkdir()
    (path / "site" / "index.html").write_text(PAGE)
    (path / "footbridge.yaml").write_text(config)
    return serve("--root", path / "site", "--config", path / "footbridge.yaml", "--ephemeral")


def test_a_page_gets_what_the_file_means(tmp_path, page):
    with site(tmp_path, CONFIG) as server:
        page.goto(server.url)
        assert page.evaluate("post({ type: 'answer' })") == MEANT
        assert page.evaluate("post({ type: 'text' }).then(JSON.parse)") == MEANT
        assert page.evaluate("post({ type: 'result' })") == MEANT
        assert page.evaluate("(message) => post(message)", {"type": "ask", **MEANT}) == "ruled"
        assert page.evaluate("(message) => post(message)", {"type": "ask", **MEANT, "country": False}) == "not ruled"


def test_a_page_gets_the_numbers_that_json_does_not_have(tmp_path, page):
    answers = "{ get: { reply: [.inf, -.inf, .nan, { a: .INF }] } }"
    with site(tmp_path, f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, answers: {answers} }} }}") as server:
        page.goto(server.url)
        assert page.evaluate("post({ type: 'get' }).then(([a, b, c, { a: d }]) => `${[a, b, c, d]}`)") == "Infinity,-Infinity,NaN,Infinity"


def test_the_log_tells_at_the_start_what_other_programs_read_differently(tmp_path):
    with site(tmp_path, CONFIG) as server:
        server.wait_for_log('answers.answer.reply.country in', 'is NO: the text "NO" in YAML 1.2, and false in YAML 1.1')
        server.wait_for_log("answers.answer.reply.number in", "is 0123: 123 in YAML 1.2, and 83 in YAML 1.1")
        server.wait_for_log("rules[0].where.time in", "and 45045 in YAML 1.1")
        assert not [line for line in server.log if "quoted" in line or "version" in line]


def test_a_setting_that_is_no_truth_value_prevents_the_start(tmp_path):
    with pytest.raises(StartFailure) as failure:
        site(tmp_path, "onside: { settings: { askToBuy: yes } }")
    assert failure.value.code == 78
    assert "must be true or false. It is a text in YAML 1.2, and was true or false in YAML 1.1" in failure.value.log
