import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/jackpot.css';
import './styles/contribute.css';
import './styles/winners.css';
import { applyStoredTheme } from './parts/theme-toggle.tsx';

applyStoredTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
