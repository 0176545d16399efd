/** Names of time zones, for lists. The API accepts all names that the engine knows, also older ones. */

/** By the name under which Unicode's CLDR, and so `Intl`, still lists the zone: its name in the IANA database. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns the name of a zone in the IANA database. */
export const toCurrentZone = (zone: string): string => CURRENT_NAMES[zone] ?? zone;

/** Lists the zones that the engine knows, by their names in the IANA database. */
export const listTimeZones = (): string[] => Intl.supportedValuesOf('timeZone').map(toCurrentZone).sort();

/** Lists UTC, the other zones, and the chosen one if the engine does not know it. */
export const listZoneChoices = (chosen: string | null): string[] => [
  ...new Set(['UTC', ...listTimeZones(), ...(chosen === null ? [] : [chosen])]),
];
