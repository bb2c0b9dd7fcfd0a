"""Cities of the demo's clubs and events, and the countries whose players travel to each other's events."""

from __future__ import annotations

CITIES = {
    "BE": "Antwerpen Brugge Brussels Charleroi Gent Hasselt Leuven Liège Mons Namur Oostende Tournai",
    "CZ": "Brno Liberec Olomouc Pardubice Plzeň Praha Zlín",
    "DE": "Berlin Bremen Dresden Freiburg Hamburg Hannover Kassel Köln Leipzig Mainz Münster Ulm",
    "EE": "Narva Pärnu Rakvere Tallinn Tartu Viljandi",
    "ES": "Barcelona Bilbao Granada Madrid Valencia Zaragoza",
    "FR": "Bordeaux Dijon Grenoble Lille Lyon Montpellier Nancy Nantes Paris Rennes Strasbourg Toulouse",
    "GB": "Bristol Cambridge Cardiff Edinburgh Leeds London Sheffield York",
    "GE": "Batumi Kutaisi Tbilisi",
    "GR": "Athens Patras Thessaloniki Volos",
    "HU": "Budapest Debrecen Eger Győr Pécs Szeged",
    "IE": "Athlone Ballina Carlow Cork Drogheda Dublin Dundalk Ennis Galway Kilkenny Letterkenny Limerick Mullingar"
    " Sligo Tralee Tullamore Waterford Wexford",
    "IT": "Bologna Firenze Genova Milano Padova Torino Trieste",
    "LV": "Cēsis Daugavpils Jelgava Liepāja Riga Ventspils",
    "NL": "Amsterdam Delft Eindhoven Groningen Haarlem Leiden Nijmegen Utrecht",
    "PL": "Gdańsk Kraków Lublin Poznań Toruń Warszawa Wrocław Łódź",
    "SE": "Göteborg Linköping Lund Stockholm Umeå Uppsala Västerås Örebro",
    "UA": "Chernivtsi Kyiv Lviv Odesa Poltava Vinnytsia",
}
NEAR = (
    "BE-DE BE-FR BE-GB BE-NL CZ-DE CZ-HU CZ-PL DE-FR DE-NL DE-PL EE-LV EE-SE ES-FR FR-GB FR-IT GB-IE GB-NL GE-UA GR-IT"
    " HU-IT HU-UA LV-SE PL-UA"
)
_NEAR = {frozenset(pair.split("-")) for pair in NEAR.split()}


def cities(country: str) -> list[str]:
    return CITIES[country].split()


def are_near(country: str, other: str) -> bool:
    """Return True if players of one country often go to events in the other one; a country is near to itself."""
    return country == other or frozenset((country, other)) in _NEAR
