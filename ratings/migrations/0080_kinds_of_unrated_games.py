"""Store the kinds of games that are not rated, so that their opponents and byes are not lost.

Existing games get none: nothing more is known of them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0079_erased_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='kind',
            field=models.CharField(blank=True, choices=[('unrated', 'played, but not rated'), ('both lost', 'both lost by default'), ('both won', 'full point for both'), ('full bye', 'full point, not the bye of the pairing')], db_default='', default='', help_text='Only for games that are not rated; otherwise a game that was not played was won by default.', max_length=9, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('kind', ''), models.Q(('b__isnull', False), ('kind', 'unrated'), ('played', False)), models.Q(('b__isnull', False), ('kind', 'both lost'), ('played', False), ('score', 0)), models.Q(('b__isnull', False), ('kind', 'both won'), ('played', False), ('score', 1)), models.Q(('b__isnull', True), ('kind', 'full bye'), ('played', False), ('score', 1)), _connector='OR'), name='only_unrated_games_have_a_kind', violation_error_message='This kind does not fit the score and the players of the game.'),
        ),
    ]
