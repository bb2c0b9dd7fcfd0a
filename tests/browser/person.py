"""A person at the pages, whose clicks and keys are counted."""

from base64 import b64encode

from tests.browser.test_journey import log_in

DROP = """
files => {
  const data = new DataTransfer();
  for (const [name, bytes] of files) {
    const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    data.items.add(new File([content], name, { type: "text/plain" }));
  }
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""


def make_files(files):
    """Return files as Playwright takes them, from texts by name."""
    return [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files.items()]


def drop_files(page, files):
    """Drag files, as texts or bytes by name, onto the page."""
    contents = {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}
    page.evaluate(DROP, [[name, b64encode(content).decode()] for name, content in contents.items()])


class Person:
    """A person at the page whose clicks are counted; choosing a file counts as two."""

    def __init__(self, page):
        self.page, self.clicks, self.keys = page, 0, 0

    def sign_in(self, name):
        """Sign in with three clicks: into both fields and on the button."""
        self.clicks += 3
        log_in(self.page, name)

    def click(self, locator):
        self.clicks += 1
        locator.click()

    def press(self, name):
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name):
        self.click(self.page.get_by_role("link", name=name).first)

    def fill(self, label, text):
        self.clicks += 1  # into the field
        self.page.get_by_label(label, exact=True).fill(text)

    def choose_file(self, label, name, text):
        self.choose_files(label, {name: text})

    def choose_files(self, label, files):
        """Choose several files in the dialogue of the browser, with a click on the button and one in the dialogue."""
        self.clicks += 2
        self.page.get_by_label(label, exact=True).set_input_files(make_files(files))

    def drop(self, files):
        """Drag files, as texts or bytes by name, onto the page; this counts as one click."""
        self.clicks += 1
        drop_files(self.page, files)

    def type(self, text):
        self.keys += len(text)
        self.page.keyboard.type(text)

    def hit(self, key):
        self.keys += 1
        self.page.keyboard.press(key)
