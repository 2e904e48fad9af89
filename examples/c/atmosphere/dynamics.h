/* Private to the model. */
#pragma once
#include "model.h"

void dynamics(Model* model);  /* the tendency of the own rows, from the state with its outer rows */
void vorticity(Model* model); /* in southern corners of all rows but the first */
