"""Conversion between FIDE's federation codes and ISO 3166 country codes (two letters), for chess files such as TRF."""

from __future__ import annotations

from collections import Counter


def _parse_pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


# FIDE's code, then ISO alpha-2. England, Scotland, Wales, Guernsey, Jersey and Man have federations of their own.
COUNTRY_BY_FEDERATION = _parse_pairs("""
    AFG:AF AHO:CW ALB:AL ALG:DZ AND:AD ANG:AO ANT:AG ARG:AR ARM:AM ARU:AW AUS:AU AUT:AT AZE:AZ BAH:BS BAN:BD BAR:BB
    BDI:BI BEL:BE BER:BM BHU:BT BIH:BA BIZ:BZ BLR:BY BOL:BO BOT:BW BRA:BR BRN:BH BRU:BN BUL:BG BUR:BF CAF:CF CAM:KH
    CAN:CA CAY:KY CGO:CG CHA:TD CHI:CL CHN:CN CIV:CI CMR:CM COD:CD COL:CO COM:KM CPV:CV CRC:CR CRO:HR CUB:CU CYP:CY
    CZE:CZ DEN:DK DJI:DJ DMA:DM DOM:DO ECU:EC EGY:EG ENG:GB ERI:ER ESA:SV ESP:ES EST:EE ETH:ET FAI:FO FIJ:FJ FIN:FI
    FRA:FR GAB:GA GAM:GM GCI:GG GEO:GE GEQ:GQ GER:DE GHA:GH GRE:GR GRL:GL GRN:GD GUA:GT GUM:GU GUY:GY HAI:HT HKG:HK
    HON:HN HUN:HU INA:ID IND:IN IOM:IM IRI:IR IRL:IE IRQ:IQ ISL:IS ISR:IL ISV:VI ITA:IT IVB:VG JAM:JM JCI:JE JOR:JO
    JPN:JP KAZ:KZ KEN:KE KGZ:KG KOR:KR KOS:XK KSA:SA KUW:KW LAO:LA LAT:LV LBA:LY LBN:LB LBR:LR LCA:LC LES:LS LIE:LI
    LTU:LT LUX:LU MAC:MO MAD:MG MAR:MA MAS:MY MAW:MW MDA:MD MDV:MV MEX:MX MGL:MN MKD:MK MLI:ML MLT:MT MNC:MC MNE:ME
    MOZ:MZ MRI:MU MTN:MR MYA:MM NAM:NA NCA:NI NCL:NC NED:NL NEP:NP NGR:NG NIG:NE NOR:NO NRU:NR NZL:NZ OMA:OM PAK:PK
    PAN:PA PAR:PY PER:PE PHI:PH PLE:PS PLW:PW PNG:PG POL:PL POR:PT PUR:PR QAT:QA ROU:RO RSA:ZA RUS:RU RWA:RW SCO:GB
    SEN:SN SEY:SC SGP:SG SKN:KN SLE:SL SLO:SI SMR:SM SOL:SB SOM:SO SRB:RS SRI:LK SSD:SS STP:ST SUD:SD SUI:CH SUR:SR
    SVK:SK SWE:SE SWZ:SZ SYR:SY TAN:TZ THA:TH TJK:TJ TKM:TM TLS:TL TOG:TG TPE:TW TTO:TT TUN:TN TUR:TR UAE:AE UGA:UG
    UKR:UA URU:UY USA:US UZB:UZ VAN:VU VEN:VE VIE:VN VIN:VC WLS:GB YEM:YE ZAM:ZM ZIM:ZW
""")
# other programs often write ISO alpha-3 or the Olympic code instead
OTHER_CODES = _parse_pairs("""
    BGR:BG CHE:CH CHL:CL DEU:DE DNK:DK DZA:DZ FRO:FO GBR:GB GRC:GR HRV:HR IDN:ID IRN:IR LVA:LV MCO:MC MNG:MN MYS:MY
    NLD:NL PHL:PH PRT:PT PRY:PY ROM:RO SCG:RS SGR:SG SIN:SG SVN:SI TWN:TW URY:UY VNM:VN ZAF:ZA ARE:AE SAU:SA LKA:LK
""")
SEVERAL_FEDERATIONS = {country for country, count in Counter(COUNTRY_BY_FEDERATION.values()).items() if count > 1}
"""Countries with several federations in FIDE: Great Britain."""
NO_COUNTRY = {"", "FID", "NON", "NONE"}
FEDERATION_BY_COUNTRY = {code: fide for fide, code in COUNTRY_BY_FEDERATION.items() if fide not in ("SCO", "WLS")}


def country_code(federation: str) -> str | None:
    """Return the country's code of two letters; "" for players under FIDE's own flag, None for an unknown code."""
    code = federation.strip().upper()
    return "" if code in NO_COUNTRY else COUNTRY_BY_FEDERATION.get(code) or OTHER_CODES.get(code)


def federation_code(country: str) -> str:
    """Return FIDE's code for a country's code of two letters, "" if there is none; Great Britain is ENG."""
    return FEDERATION_BY_COUNTRY.get(country.strip().upper(), "")
