// Who is signed in, and how we greet them.

export async function loadProfile() {
  const answer = await fetch('/api/profile');
  const { profile } = await answer.json();
  return profile;
}

export function greeting(profile) {
  if (!profile) return 'Good morning, and welcome';
  return `Good morning, ${profile.name} from ${profile.town}`;
}
