(() => {
async function loadProfile() {
const answer = await fetch('/api/profile');
const { profile } = await answer.json();
return profile;
}
function greeting(profile) {
return `Good morning, ${profile.name} from ${profile.town}`;
}
const status = document.querySelector('[role=status]');
async function showProfile() {
status.textContent = 'One moment ...';
const profile = await loadProfile();
status.textContent = greeting(profile);
}
document.querySelector('[data-testid=load-profile]').addEventListener('click', showProfile);
})();
//# sourceMappingURL=bundle.js.map
