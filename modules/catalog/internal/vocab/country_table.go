package vocab

// countryTable: ISO 3166 alpha-2 code, the name as filings mostly spell it, then other spellings met or likely.
const countryTable = `
AD|Andorra
AE|United Arab Emirates|UAE|Dubai|Abu Dhabi
AF|Afghanistan
AG|Antigua and Barbuda|Antigua
AI|Anguilla
AL|Albania
AM|Armenia
AO|Angola
AQ|Antarctica
AR|Argentina|Argentine Republic
AS|American Samoa
AT|Austria
AU|Australia
AW|Aruba
AX|Aland Islands
AZ|Azerbaijan
BA|Bosnia and Herzegovina|Bosnia
BB|Barbados
BD|Bangladesh
BE|Belgium
BF|Burkina Faso
BG|Bulgaria
BH|Bahrain
BI|Burundi
BJ|Benin
BL|Saint Barthelemy|St. Barthelemy
BM|Bermuda
BN|Brunei|Brunei Darussalam
BO|Bolivia
BQ|Bonaire, Sint Eustatius and Saba|Caribbean Netherlands
BR|Brazil|Brasil
BS|Bahamas, The|Bahamas
BT|Bhutan
BV|Bouvet Island
BW|Botswana
BY|Belarus
BZ|Belize
CA|Canada
CC|Cocos (Keeling) Islands|Cocos Islands
CD|Congo, Democratic Republic of the|Democratic Republic of Congo|Zaire|Congo (Kinshasa)
CF|Central African Republic
CG|Congo, Republic of the|Congo|Congo (Brazzaville)
CH|Switzerland|Swiss Confederation
CI|Cote d'Ivoire|Ivory Coast
CK|Cook Islands
CL|Chile
CM|Cameroon
CN|China|People's Republic of China|PRC|China, Mainland
CO|Colombia
CR|Costa Rica
CU|Cuba
CV|Cape Verde|Cabo Verde
CW|Curacao
CX|Christmas Island
CY|Cyprus
CZ|Czech Republic|Czechia
DE|Germany|Federal Republic of Germany
DJ|Djibouti
DK|Denmark
DM|Dominica
DO|Dominican Republic
DZ|Algeria
EC|Ecuador
EE|Estonia
EG|Egypt
EH|Western Sahara
ER|Eritrea
ES|Spain|Kingdom of Spain
ET|Ethiopia
FI|Finland
FJ|Fiji
FK|Falkland Islands|Falkland Islands (Malvinas)|Falkland Islands (Islas Malvinas)
FM|Micronesia|Micronesia, Federated States of
FO|Faroe Islands
FR|France|French Republic
GA|Gabon
GB|United Kingdom|Great Britain|England|Scotland|Wales|Northern Ireland|England and Wales|UK|United Kingdom of Great Britain and Northern Ireland
GD|Grenada
GE|Georgia|Georgia/Gruzinskaya|Georgia, Republic of
GF|French Guiana
GG|Guernsey
GH|Ghana
GI|Gibraltar
GL|Greenland
GM|Gambia, The|Gambia
GN|Guinea
GP|Guadeloupe
GQ|Equatorial Guinea
GR|Greece|Hellenic Republic
GS|South Georgia and the South Sandwich Islands
GT|Guatemala
GU|Guam
GW|Guinea-Bissau
GY|Guyana
HK|Hong Kong|Hong Kong SAR|Hong Kong, China|HongKong
HM|Heard Island and McDonald Islands
HN|Honduras
HR|Croatia
HT|Haiti
HU|Hungary
ID|Indonesia
IE|Ireland|Republic of Ireland|Eire
IL|Israel|State of Israel
IM|Isle of Man|Man, Isle of
IN|India
IO|British Indian Ocean Territory
IQ|Iraq
IR|Iran|Iran, Islamic Republic of
IS|Iceland
IT|Italy
JE|Jersey|Jersey, Channel Islands
JM|Jamaica
JO|Jordan
JP|Japan
KE|Kenya
KG|Kyrgyzstan|Kyrgyz Republic
KH|Cambodia
KI|Kiribati
KM|Comoros
KN|Saint Kitts and Nevis|St. Kitts and Nevis|Nevis
KP|Korea, North|Korea, Democratic People's Republic of
KR|Korea, South|Korea, Republic of|Korea|Republic of Korea (South)
KW|Kuwait
KY|Cayman Islands|Cayman|Cayman Island|Grand Cayman
KZ|Kazakhstan
LA|Laos|Lao People's Democratic Republic
LB|Lebanon
LC|Saint Lucia|St. Lucia
LI|Liechtenstein
LK|Sri Lanka
LR|Liberia
LS|Lesotho
LT|Lithuania
LU|Luxembourg|Grand Duchy of Luxembourg
LV|Latvia
LY|Libya|Libyan Arab Jamahiriya
MA|Morocco
MC|Monaco|Principality of Monaco
MD|Moldova|Moldova, Republic of
ME|Montenegro
MF|Saint Martin (French part)|St. Martin
MG|Madagascar
MH|Marshall Islands|Republic of the Marshall Islands
MK|North Macedonia|Macedonia|Macedonia, Former Yugoslav Republic of
ML|Mali
MM|Myanmar|Burma
MN|Mongolia
MO|Macau|Macao|Macao SAR
MP|Northern Mariana Islands
MQ|Martinique
MR|Mauritania
MS|Montserrat
MT|Malta
MU|Mauritius
MV|Maldives
MW|Malawi
MX|Mexico|United Mexican States
MY|Malaysia|Labuan
MZ|Mozambique
NA|Namibia
NC|New Caledonia
NE|Niger
NF|Norfolk Island
NG|Nigeria
NI|Nicaragua
NL|Netherlands|Holland|Netherlands, Kingdom of the
NO|Norway
NP|Nepal
NR|Nauru
NU|Niue
NZ|New Zealand
OM|Oman
PA|Panama
PE|Peru
PF|French Polynesia
PG|Papua New Guinea
PH|Philippines
PK|Pakistan
PL|Poland
PM|Saint Pierre and Miquelon|St. Pierre and Miquelon
PN|Pitcairn|Pitcairn Islands
PR|Puerto Rico
PS|Palestine|West Bank|Gaza Strip|Palestinian Territory
PT|Portugal
PW|Palau
PY|Paraguay
QA|Qatar
RE|Reunion
RO|Romania
RS|Serbia|Serbia and Montenegro
RU|Russia|Russian Federation
RW|Rwanda
SA|Saudi Arabia|Kingdom of Saudi Arabia
SB|Solomon Islands
SC|Seychelles
SD|Sudan
SE|Sweden
SG|Singapore|Republic of Singapore
SH|Saint Helena|St. Helena
SI|Slovenia
SJ|Svalbard and Jan Mayen|Svalbard
SK|Slovakia|Slovak Republic
SL|Sierra Leone
SM|San Marino
SN|Senegal
SO|Somalia
SR|Suriname
SS|South Sudan
ST|Sao Tome and Principe
SV|El Salvador
SX|Sint Maarten|Sint Maarten (Dutch part)|St. Maarten
SY|Syria|Syrian Arab Republic
SZ|Eswatini|Swaziland
TC|Turks and Caicos Islands|Turks & Caicos Islands
TD|Chad
TF|French Southern Territories
TG|Togo
TH|Thailand
TJ|Tajikistan
TK|Tokelau
TL|Timor-Leste|East Timor
TM|Turkmenistan
TN|Tunisia
TO|Tonga
TR|Turkey|Turkiye
TT|Trinidad and Tobago|Trinidad & Tobago
TV|Tuvalu
TW|Taiwan|Taiwan, Republic of China|Taiwan, Province of China
TZ|Tanzania|Tanzania, United Republic of
UA|Ukraine
UG|Uganda
UM|United States Minor Outlying Islands
US|United States|United States of America|USA|U.S.A.|America
UY|Uruguay
UZ|Uzbekistan
VA|Vatican City|Holy See
VC|Saint Vincent and the Grenadines|St. Vincent and the Grenadines
VE|Venezuela|Venezuela, Bolivarian Republic of
VG|British Virgin Islands|Virgin Islands, British|BVI|Tortola
VI|Virgin Islands, U.S.|US Virgin Islands|United States Virgin Islands|Virgin Islands
VN|Vietnam|Viet Nam
VU|Vanuatu
WF|Wallis and Futuna
WS|Samoa|Western Samoa
YE|Yemen
YT|Mayotte
ZA|South Africa|Republic of South Africa
ZM|Zambia
ZW|Zimbabwe
XK|Kosovo
`
