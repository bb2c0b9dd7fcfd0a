"""The public log of a list: checkpoints, the hashes of their leaves, the keys that sign them, and others' logs."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.lists.dated import DatedList
from ratings.models.lists.lists import RatingList

from .runs import Run


class Checkpoint(models.Model):
    """An entry of a list's log, after a run or about a published list.

    `text` is the signed text (`ratings.formats.proof.checkpoints`). `signatures` are the lines below it: the site's
    signature, then those of witnesses; empty until the site has a key. `tree` is the name of the tree of a published
    list, empty for a run.
    """

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="checkpoints", verbose_name=_("list"))
    number = models.PositiveIntegerField(_("number"))
    run = models.OneToOneField(Run, models.SET_NULL, null=True, related_name="checkpoint", verbose_name=_("rating run"))
    dated = models.ForeignKey(
        DatedList, models.SET_NULL, null=True, related_name="checkpoints", verbose_name=_("dated list")
    )
    tree = models.CharField(max_length=30, blank=True)
    made_at = models.DateTimeField(_("time"))
    text = models.TextField()
    signatures = models.TextField(blank=True)

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ["list", "number"]
        constraints = [models.UniqueConstraint(fields=["list", "number"], name="one_checkpoint_per_number")]

    def __str__(self) -> str:
        return f"{self.list} {self.number}"

    @property
    def note(self) -> str:
        """The signed note of the checkpoint."""
        return f"{self.text}\n{self.signatures}"


class LeafBlock(models.Model):
    """Hashes of consecutive leaves of a tree of a list, as they were at the last checkpoint of the tree.

    `number` counts the blocks of a tree from 0, `hashes` are the leaves' hashes one behind the other, `root` is the
    root above them. `rows` are the primary keys of the leaves' tables, 8 bytes each; empty for other trees.
    """

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="leaf_blocks")
    tree = models.CharField(max_length=30)
    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    hashes = models.BinaryField()
    root = models.BinaryField()
    rows = models.BinaryField(default=b"")

    class Meta:
        ordering = ["list", "tree", "number"]
        constraints = [models.UniqueConstraint(fields=["list", "tree", "number"], name="one_block_per_number")]

    def __str__(self) -> str:
        return f"{self.list_id} {self.tree} {self.number}"


class LogKey(models.Model):
    """A key that signs the logs of the site; the newest one signs, earlier ones stay to check old checkpoints.

    `public` is the key as text (`name+id+key`), `private` its private part, encrypted as the secrets of webhooks are.
    `change` is the note by which the key before it and this one sign the change; empty for the first key, and where the
    key before was lost.
    """

    name = models.CharField(_("name"), max_length=200)
    public = models.CharField(_("public key"), max_length=400, unique=True)
    private = models.TextField(editable=False)
    change = models.TextField(blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("log signing key")
        verbose_name_plural = _("log signing keys")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public


class WitnessedLog(models.Model):
    """The log of another site, as this site saw and cosigned it last.

    `number` and `text_hash` (hexadecimal) are those of its last checkpoint then; `note` is that checkpoint with the
    cosignature. `key` is the public key that the log is trusted by.
    """

    log = models.CharField(_("log"), max_length=400, unique=True)
    key = models.CharField(_("public key"), max_length=400)
    number = models.PositiveIntegerField(_("number"))
    text_hash = models.CharField(max_length=64)
    note = models.TextField()
    seen_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("witnessed log")
        verbose_name_plural = _("witnessed logs")
        ordering = ["log"]

    def __str__(self) -> str:
        return self.log
