"""Organisers and officers who work on events at the same time (see people.py)."""

import re

from ratings.management.bench.browser import fields_of

from .people import Person, offers

SHEET = r"/organise/sheets/\d+/$"
ROUNDS = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
ANSWERS = {"+": "-", "-": "+", "=": "="}


class Editor(Person):
    """Somebody who works on events: what they do is chosen by weight from what a page of an event offers."""

    WEIGHTS = {}

    def __init__(self, *arguments, scene):
        super().__init__(*arguments)
        self.scene, self.remembered = scene, {}

    def work(self):
        event = self.chance.choice(list(self.scene.events))
        address = f"/organise/events/{event}/"
        page = self.remembered.get(event) if self.chance.random() < 0.15 else self.read(address)
        if page is None:
            return
        self.remembered[event] = page  # acted on later, when it may be out of date
        found = [
            (weight, action, path)
            for path in offers(page)
            for pattern, (weight, action) in self.WEIGHTS.items()
            if re.search(pattern, path)
        ]
        if found:
            _weight, action, path = self.chance.choices(found, [weight for weight, *_more in found])[0]
            getattr(self, action)(path)

    def act(self, path):
        """Press the button of an address that ends with the name of its action."""
        what = path.rstrip("/").rpartition("/")[2]
        token = self.token()
        self.send(what, path, {"note": token} if what == "return" else {})

    def restore_submission(self, path):
        self.send("restore submission", path, {})

    def correct(self, path):
        answer = self.send("correct", path, {})
        if answer.status == 302:
            self.type_results(answer.location)

    def look_at_history(self, path):
        page = self.read(path)
        choices = [path for path in offers(page or "") if re.search(r"/events/\w+/(history/\d+/undo|restore)/$", path)]
        if choices:
            chosen = self.chance.choice(choices)
            self.send("undo" if "undo" in chosen else "restore", chosen, {})

    def type_results(self, path):
        """Change a submission as its page shows it; sometimes with a text that cannot be read."""
        page = self.read(path)
        if page is None or 'name="check"' not in page:
            return
        if self.chance.random() < 0.04:
            self.send("delete submission", f"{path}delete/", {})
            return
        fields = fields_of(page, "sheet")
        self.fill(path, fields)
        answer = self.save(path, fields)
        if answer.status == 409 and self.chance.random() < 0.5:  # replaces what the other one saved
            answer = self.save(path, fields_of(answer.text, "sheet"))
        fields = fields_of(answer.text, "sheet") if answer.status == 200 else {}
        asked = [name for name, text in fields.items() if name.startswith("confirm-") and not text]
        if asked:
            answer = self.save(path, fields | dict.fromkeys(asked, "it was so"))
        event = re.search(r'<p class="message good">.*?href="(/organise/events/\w+/)"', answer.text)
        if event and self.chance.random() < 0.7:  # no problems found
            self.act(f"{event[1]}submit/")

    def save(self, path, fields):
        return self.send("save", path, fields | {"check": "1"})

    def fill(self, path, fields):
        fields["name"] = self.token()
        if "reason" in fields:
            fields["reason"] = f"because of {fields['name']}"
        for round_, pairs in enumerate(ROUNDS, 1):
            for a, b in pairs:
                won = self.chance.choice("+-=")
                fields[f"row-{a}-round-{round_}"], fields[f"row-{b}-round-{round_}"] = f"{b}{won}", f"{a}{ANSWERS[won]}"
        if self.chance.random() < 0.15:
            fields[f"row-{self.chance.randint(1, 4)}-round-{self.chance.randint(1, 3)}"] = f"?{fields['name']}"


class Organiser(Editor):
    """Somebody who enters events and results."""

    WEIGHTS = {
        r"/events/\w+/submit/$": (2, "act"),
        r"/events/\w+/withdraw/$": (0.5, "act"),
        SHEET: (2, "type_results"),
        r"/tables/\d+/correct/$": (2, "correct"),
        r"/sheets/\d+/restore/$": (0.5, "restore_submission"),
        r"/events/\w+/results/$": (2, "paste"),
        r"/events/\w+/history/$": (0.3, "look_at_history"),
        r"/events/\w+/delete/$": (0.1, "delete"),
    }

    def work(self):
        if self.chance.random() < 0.06:
            self.enter_event()
        else:
            super().work()

    def enter_event(self):
        """Enter an event on the list and with the players of another one, on the day after the last one."""
        page = self.read("/organise/events/new/")
        if page is None:
            return
        lists = re.findall(r'name="lists" value="(\d+)"', page)
        names = self.chance.choice(list(self.scene.groups))
        day = f"2024-{self.chance.randint(7, 12):02}-{self.chance.randint(1, 28):02}"
        sent = {name: text for name, text in fields_of(page).items() if name in {"token", "mode"}}
        sent |= {"name": f"Cup {self.token()}", "start": day, "end": day, "time_control": "30min"}
        sent["lists"] = lists[self.scene.groups.index(names) % len(lists)]
        answer = self.send("new event", "/organise/events/new/", sent)
        if answer.status == 302:
            self.scene.events[answer.location.split("/")[3]] = (names, day)

    def paste(self, path):
        """Paste results of the four players, the first of them sometimes by the name of their duplicate."""
        if len(re.findall(r'href="/organise/sheets/', self.remembered.get(path.split("/")[3], ""))):
            return  # there are results already
        names, day = self.scene.events[path.split("/")[3]]
        rows = [names[0] if self.chance.random() < 0.7 else names[-1], *names[1:4]]
        fields = {"name": ""}
        self.fill(path, fields)
        cells = [[fields[f"row-{row}-round-{round_}"] for round_ in (1, 2, 3)] for row in range(1, 5)]
        text = f"[Cup, Lyon, France, {day}]\n[{day}]\n[Time control: 30min]\n; {fields['name']}\n"
        for number, ((family, given), row) in enumerate(zip(rows, cells, strict=True), 1):
            text += f"{number} [{family}][{given}] FR [{' '.join(row)}]\n"
        answer = self.send("paste", path, {"text": text})
        if answer.status == 302:
            self.type_results(answer.location)

    def delete(self, path):
        self.send("delete event", path, {})


class Officer(Editor):
    """Somebody who accepts results, and merges players."""

    WEIGHTS = {
        r"/events/\w+/accept/$": (12, "act"),
        r"/events/\w+/return/$": (3, "act"),
        r"/events/\w+/void/$": (0.7, "void"),
        r"/events/\w+/history/$": (1, "look_at_history"),
        r"/tables/\d+/correct/$": (1, "correct"),
        SHEET: (0.1, "type_results"),
    }

    def __init__(self, *arguments, merging, **options):
        super().__init__(*arguments, **options)
        self.merging = merging

    def work(self):
        if self.chance.random() < self.merging:
            self.merge_or_undo()
        else:
            super().work()

    def void(self, path):
        if self.read(path):
            self.send("void", path, {"reason": "rules", "explanation": self.token(), "read": "on"})

    def merge_or_undo(self):
        page = self.read("/organise/duplicates/") or ""
        merges = [path for path in offers(page) if re.search(r"/merges/\d+/undo/$", path)]
        if merges and self.chance.random() < 0.5:
            undone = self.chance.choice(merges)
            answer = self.send("undo merge", undone, {})
            page = self.ask("read", "/organise/duplicates/", cookies=answer.cookies)  # done or not, it says there
            if "Undone. " in page.text:
                self.journal.undone.append(int(undone.split("/")[3]))
            return
        gone, kept = self.chance.choice(self.scene.duplicates)
        page = self.read(f"/organise/merge/?gone={gone}&kept={kept}") or ""
        if 'id="reason"' in page:
            self.send("merge", "/organise/merge/", {"gone": gone, "kept": kept, "reason": self.token()})
