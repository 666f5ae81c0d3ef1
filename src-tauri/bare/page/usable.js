requestAnimationFrame(() => performance.mark('usable'));
