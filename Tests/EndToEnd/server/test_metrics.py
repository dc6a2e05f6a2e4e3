"""The metrics, read by Prometheus's own parser."""

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from footbridge_process import serve
from raw_http import Client
from wire_page import WirePage

PRODUCT = "com.product.example.consumable"


def scrape(server, token=None):
    """Returns all samples by name and labels, and the families by name."""
    response = Client(server).get("/__footbridge/metrics", *([f"Authorization: Bearer {token}"] if token else []))
    assert response.status == 200
    families = {family.name: family for family in text_string_to_metric_families(response.body.decode())}
    samples = {(sample.name, *sample.labels.values()): sample.value for family in families.values() for sample in family.samples}
    return samples, families


def test_the_metrics_need_the_token_of_the_control_api_unless_they_are_open(shop_root):
    with serve("--root", shop_root, "--ephemeral") as server:
        refused = Client(server).get("/__footbridge/metrics")
        assert refused.status == 401 and "Bearer" in refused.field("www-authenticate") and b"footbridge_" not in refused.body
        assert Client(server).get("/__footbridge/metrics", "Authorization: Bearer wrong").status == 401
        token = server.control().token
        response = Client(server).get("/__footbridge/metrics", f"Authorization: Bearer {token}")
        assert (response.status, response.field("cache-control")) == (200, "no-store")
        assert response.field("content-type") == "text/plain; version=0.0.4; charset=utf-8"
        assert Client(server).get("/__footbridge/metrics", f"Authorization: Bearer {token}", method="POST").status == 405
    for options in ({"arguments": ("--open-metrics",)}, {"environment": {"FOOTBRIDGE_OPEN_METRICS": "true"}}):
        with serve("--root", shop_root, "--ephemeral", *options.pop("arguments", ()), **options) as server:
            assert Client(server).get("/__footbridge/metrics").status == 200


def test_every_figure_is_described_and_every_histogram_adds_up(shop_root):
    with serve("--root", shop_root, "--open-metrics") as server:
        WirePage(server.port).call("onside.getTransactions")
        samples, families = scrape(server)
        assert {family.type for family in families.values()} == {"gauge", "counter", "histogram"}
        assert all(family.documentation.endswith(".") for family in families.values())
        histograms = [family for family in families.values() if family.type == "histogram"]
        assert {family.name for family in histograms} == {
            "footbridge_call_duration_seconds", "footbridge_store_write_duration_seconds", "footbridge_http_request_duration_seconds"}
        for family in histograms:
            buckets = [(float(sample.labels["le"]), sample.value) for sample in family.samples if sample.name.endswith("_bucket")]
            assert [limit for limit, _ in buckets] == sorted(limit for limit, _ in buckets) and buckets[-1][0] == float("inf")
            assert [count for _, count in buckets] == sorted(count for _, count in buckets)
            assert buckets[-1][1] == samples[f"{family.name}_count",]
            assert (samples[f"{family.name}_sum",] > 0) == (samples[f"{family.name}_count",] > 0)


def test_calls_pages_and_errors_are_counted(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--open-metrics") as server:
        before, _ = scrape(server)
        assert before["footbridge_ready",] == 1
        names = ("sessions", "pages", "pages_connected", "calls_open", "sheets_open", "holds", "store_queue", "websockets")
        assert all(before[f"footbridge_{name}",] == 0 for name in names)
        page, other = WirePage(server.port), WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        other.call("onside.getTransactions")
        page.start("onside.requestLogin")
        page.call("onside.getTransactions")
        while not (samples := scrape(server)[0])["footbridge_sheets_open",]:
            pass
        for name, value in {"sessions": 2, "pages": 2, "pages_connected": 2, "calls_open": 1, "sheets_open": 1, "websockets": 2}.items():
            assert samples[f"footbridge_{name}",] == value, name
        assert samples["footbridge_connections",] == 3
        # Two greetings and four calls. All but the login have an answer; the login shows a sheet.
        assert samples["footbridge_messages_total", "received"] == 6
        assert samples["footbridge_messages_total", "sent"] >= 6
        assert samples["footbridge_store_write_duration_seconds_count",] > 0
        assert samples["footbridge_store_failures_total",] == 0
        for each in (page, other):
            each.close()


def test_the_durations_of_many_calls_are_estimated_by_samples(auto_shop):
    page = WirePage(auto_shop.port)
    token = auto_shop.control().token
    before, _ = scrape(auto_shop, token)
    calls = [page.start("onside.getTransactions") for _ in range(1600)]
    for call in calls:
        call.result()
    after, _ = scrape(auto_shop, token)
    count = after["footbridge_call_duration_seconds_count",] - before["footbridge_call_duration_seconds_count",]
    assert 1600 - 128 <= count <= 1600 + 128
    assert after["footbridge_journal_bytes",] > before["footbridge_journal_bytes",]
    assert after["footbridge_journal_bytes",] < after["footbridge_journal_limit_bytes",]
    page.close()


def test_metrics_contain_no_secrets_and_no_data_of_pages(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog) as server:
        control = server.control()
        session = control.session(name="secret-name")
        page = WirePage(server.port, session["cookie"]["value"])
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        page.start("secret.action", secret="secret-data")
        page.call("onside.getTransactions")
        text = Client(server).get("/__footbridge/metrics?secret=1", f"Authorization: Bearer {control.token}").body.decode()
        for secret in (control.token, session["id"], session["cookie"]["value"], page.page_id, "secret", PRODUCT, "127.0.0.1"):
            assert secret not in text
        labels = set(re.findall(r'(\w+)="', text))
        assert labels == {"version", "direction", "le", "class"}
        page.close()


@pytest.mark.parametrize("status, path", [("2xx", "/"), ("4xx", "/nothing")])
def test_responses_are_counted_by_the_class_of_their_status(shop_root, status, path):
    with serve("--root", shop_root, "--ephemeral", "--open-metrics") as server:
        before, families = scrape(server)
        assert "footbridge_store_queue" not in families
        for _ in range(3):
            Client(server).get(path)
        after, _ = scrape(server)
        # The request for the metrics counts as well.
        expected = 3 + (status == "2xx")
        assert after["footbridge_http_responses_total", status] - before["footbridge_http_responses_total", status] == expected
        assert after["footbridge_http_request_duration_seconds_count",] - before["footbridge_http_request_duration_seconds_count",] == 4
