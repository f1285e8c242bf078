import '@potstream/client/ticker';
import { createApp } from 'vue';
import LobbyPage from './LobbyPage.vue';

createApp(LobbyPage).mount('#app');
