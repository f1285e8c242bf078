import '@potstream/client/ticker';
import { createApp } from 'vue';
import Lobby from './Lobby.vue';

createApp(Lobby).mount('#app');
