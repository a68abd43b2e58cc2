import { greeting, loadProfile } from './profile.js';

const status = document.querySelector('[role=status]');

async function showProfile() {
  status.textContent = 'One moment ...';
  const profile = await loadProfile();
  status.textContent = greeting(profile);
}

document.querySelector('[data-testid=load-profile]').addEventListener('click', showProfile);
