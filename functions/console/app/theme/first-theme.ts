// Modules run after the first paint. This file imports nothing, so that the page can load it before that.
{
  const theme = localStorage.getItem('tributary.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}
