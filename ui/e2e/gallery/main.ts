import { mount } from 'svelte';
import '../../src/app/utilities.css';
import '../../src/app/app.css';
import '../../src/shared/overlays.css';
import { locale } from '../../src/shared/locale.svelte';
import Gallery from './Gallery.svelte';

const target = document.getElementById('app');
// What the kit says is more than the page begins with.
if (target) void locale.complete().then(() => mount(Gallery, { target }));
