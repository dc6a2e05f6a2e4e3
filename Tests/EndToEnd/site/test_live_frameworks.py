"""Applications that talk to their pages over sockets and streams are the same directly, behind Footbridge, and under their own origin."""

import pytest

import framework_sites
from ports import free_port
from ways import check_all_ways


@pytest.fixture
def check(launch, new_context):
    """Runs one of the applications, and uses it on each way."""

    def check(name, use, random=()):
        port = free_port()
        with framework_sites.running(name, port):
            check_all_ways(use, launch, new_context, port, random=random)

    return check


def lines(page, count):
    """The lines of the list, once there are this many."""
    page.wait_for_function("count => document.querySelectorAll('li').length === count", arg=count)
    return page.locator("li").all_inner_texts()


def test_django_channels_works_behind_the_proxy(check):
    def use(visitor):
        page = visitor.page
        visitor.open()
        lines(page, 1)
        page.reload()
        lines(page, 1)
        other = page.context.new_page()
        other.goto(visitor.url)
        assert lines(page, 2)[1] == "joined (visit 3)"
        page.fill("[name=text]", "hällo")
        page.click("button")
        assert lines(other, 2) == ["joined (visit 3)", "hällo (visit 2)"]
        other.close()
        return lines(page, 3)

    check("channels", use)


def test_fastapi_works_behind_the_proxy(check, tmp_path):
    file = tmp_path / "notes.bin"
    file.write_bytes(bytes(range(256)) * 1000)

    def use(visitor):
        page = visitor.page
        visitor.open()
        page.fill("[name=text]", "first")
        page.click("text=Note")
        lines(page, 1)
        page.set_input_files("[name=file]", file)
        page.click("text=Upload")
        notes = lines(page, 2)
        streamed = page.evaluate("""async () => {
          const seen = [];
          const reader = (await fetch("/stream")).body.pipeThrough(new TextDecoderStream()).getReader();
          for (;;) {
            const { done, value } = await reader.read();
            if (done) return seen;
            seen.push(value);
            await (await fetch("/next", { method: "POST" })).text();
          }
        }""")
        answer = page.evaluate("""() => new Promise((resolve, reject) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/socket");
          socket.onopen = () => socket.send("hello");
          socket.onmessage = ({ data }) => resolve(data);
          socket.onerror = reject;
        })""")
        visitor.open("/docs")
        page.click("#operations-default-square_square__number__get .opblock-summary-control")
        page.fill(".parameters input", "7")
        page.click("text=Execute")
        body = page.locator(".live-responses-table .response-col_description pre").first
        body.wait_for()
        return notes, streamed, visitor.without_address(answer), body.inner_text()

    # The date of the answer, how long it took, and ids.
    check("fastapi", use, [r"(?<= date: )[^<]*", r"\d+ ms", r"[\w+/]{7}=(?=\")"])


def test_nicegui_works_behind_the_proxy(check):
    def use(visitor):
        page = visitor.page
        visitor.open()
        page.get_by_role("button", name="Count").click()
        page.get_by_text("nobody: 1").wait_for()
        page.get_by_label("Name").fill("Ada")
        page.get_by_role("button", name="Count").click()
        page.get_by_text("Ada: 2").wait_for()
        page.wait_for_function("!document.querySelector('.q-ripple')")

    check("nicegui", use, [r"[0-9a-f]{8}-[0-9a-f-]{27}"])
