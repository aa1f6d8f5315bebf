export interface Widget {
  id: number;
  name: string;
}

/** All widgets. @throws Error when the token is refused: get a new one and retry */
export async function widgets(baseUrl: string, accessToken: string): Promise<Widget[]> {
  const answer = await fetch(`${baseUrl}/public-api/v1/widgets`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  if (answer.status === 401) throw new Error('the access token is invalid or expired');
  const body = (await answer.json()) as { widgets: Widget[] };
  return body.widgets;
}
