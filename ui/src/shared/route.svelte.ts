// Where the user is, as the part of the address behind `#`: `#/reports/<id>?tab=tasks`. A reload shows the same screen.
//
// Ids may hold slashes; each is one escaped segment. Our own because it is forty lines: routers bring nested layouts,
// guards and loaders that eight flat screens have no use for.

export type Query = Record<string, string>;

export interface Place {
  /** First segment: which screen. */
  screen: string;
  /** The segments behind it, unescaped. */
  rest: string[];
  query: Query;
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [screen = '', ...rest] = path.split('/').filter(Boolean).map(unescaped);
  return { screen, rest, query: query ? Object.fromEntries(new URLSearchParams(query)) : {} };
}

/** The address of a place: `at('reports', id)`, `at('compare', { reports: 'a,b' })`. */
export function at(...parts: (string | Query)[]): string {
  const segments = parts.filter((part) => typeof part === 'string').map(encodeURIComponent);
  const path = `#/${segments.join('/')}`;
  // Most addresses have no query, and the navigation asks for many at the start.
  if (segments.length === parts.length) return path;
  const query = new URLSearchParams(Object.assign({}, ...parts.filter((part) => typeof part === 'object'))).toString();
  return query ? `${path}?${query}` : path;
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

class Route {
  place = $state.raw<Place>({ screen: '', rest: [], query: {} });

  /** Follows the address from now on; returns how to stop. */
  begin(): () => void {
    const read = () => (this.place = parsePlace(location.hash));
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }

  /** The same place with other values in its query; an empty one goes. */
  with(change: Query): string {
    const { screen, rest, query } = this.place;
    const filled = Object.entries({ ...query, ...change }).filter(([, value]) => value !== '');
    return at(screen, ...rest, Object.fromEntries(filled));
  }

  /** Goes there in place of this step of the history. */
  put(change: Query): void {
    this.go(this.with(change), { replace: true });
  }

  /** Goes to a place as `at` writes it, as a new step of the history or in place of this one. */
  go(address: string, { replace = false } = {}): void {
    if (replace) {
      history.replaceState(null, '', address);
      this.place = parsePlace(address);
    } else location.hash = address;
  }
}

export const route = new Route();
