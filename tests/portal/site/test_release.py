"""The release, by which machines with separate checkouts share the cache."""

import os

from portal.settings import hash_release


def make_checkout(folder, text="page"):
    for name, content in (("templates/a.html", text), ("portal/urls.py", "x = 1"), ("requirements.txt", "django")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def test_release_is_equal_on_two_checkouts_of_one_commit(tmp_path):
    first, second = make_checkout(tmp_path / "a"), make_checkout(tmp_path / "b")
    os.utime(second / "portal/urls.py", (1, 1))
    (second / "portal/urls.pyc").write_text("compiled")
    (second / "var").mkdir()
    assert hash_release(first) == hash_release(second)


def test_release_changes_with_a_template(tmp_path):
    assert hash_release(make_checkout(tmp_path / "a")) != hash_release(make_checkout(tmp_path / "b", "another page"))
