"""What several tests look for, named once."""

TOTAL = "order-total"
EXPRESS = '//fieldset[@id="speed"]/label[2]/input'
