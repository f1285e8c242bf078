import '@potstream/client/ticker';
import { mount } from 'svelte';
import Lobby from './Lobby.svelte';

const target = document.getElementById('app');
if (target !== null) mount(Lobby, { target });
