"""Store facts of rated tables that pages show; the next sweep computes those of tables that are already rated."""

from django.db import migrations, models


def player_field():
    return models.ForeignKey(
        "ratings.player", models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0044_needs_rating")]
    operations = [
        migrations.CreateModel(
            name="TableFacts",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rated",
                    models.OneToOneField(
                        "ratings.ratedtable", models.CASCADE, db_constraint=False, related_name="facts"
                    ),
                ),
                ("winner", player_field()),
                ("upset_winner", player_field()),
                ("upset_loser", player_field()),
                ("upset_chance", models.FloatField(null=True)),
                ("best_player", player_field()),
                ("best_performance", models.FloatField(null=True)),
                ("players", models.JSONField(default=dict)),
            ],
        ),
    ]
