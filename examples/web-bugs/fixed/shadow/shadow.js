class QuantityPicker extends HTMLElement {
  #quantity = 1;

  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = `
      <button id="fewer">Fewer</button> <span aria-hidden="true">●</span> <button id="more">More</button>
      <p role="status">1 ${this.getAttribute('label')}</p>`;
    this.#find('#fewer').addEventListener('click', () => this.#change(-1));
    this.#find('#more').addEventListener('click', () => this.#change(+1));
  }

  #find(selector) {
    return this.shadowRoot.querySelector(selector);
  }

  #change(step) {
    this.#quantity = Math.max(0, this.#quantity + step);
    this.#find('span').textContent = '●'.repeat(this.#quantity);
    this.#find('[role=status]').textContent = `${this.#quantity} ${this.getAttribute('label')}`;
  }
}

customElements.define('quantity-picker', QuantityPicker);
