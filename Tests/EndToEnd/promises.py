"""Waits for what a promise in a page comes to. `wait_for_function` takes the promise itself for the truth."""


def wait_for_promise(page, function, argument=None):
    """Calls a function that returns a promise until the promise comes to something true, and returns that."""
    return page.evaluate("""async argument => {
      for (const end = performance.now() + 15_000; ; ) {
        const value = await (%s)(argument);
        if (value) return value;
        if (performance.now() > end) throw new Error("After 15 s, this is not true yet.");
        await new Promise(later => setTimeout(later, 20));
      }
    }""" % function, argument)
