// What several tests look for, named once.
export const TOTAL = 'order-total';
export const EXPRESS = '//fieldset[@id="speed"]/label[2]/input';
