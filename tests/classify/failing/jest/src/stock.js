function left(stock, article) {
  return stock.shelves[article].length;
}

function label(article) {
  return { article, size: 'large' };
}

module.exports = { left, label };
